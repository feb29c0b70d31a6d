//! Forms: templates, groups of fields, repeated blocks and configurations (`data/scd_tables/`), checked so that cells can be addressed.
//!
//! 1. *Labels are unique where they are looked for.* No label is in two groups, nor both in a template's own fields and in one of its
//!    groups; a qualified label, `Spouse date of birth`, is no other field's.
//! 2. *A label is of one kind* wherever it occurs.
//! 3. *Headings are told apart.* Parties of a template differ, and no block may be called what another is called.
//! 4. *Replacements are strangers.* No NATO word is in a label, a heading or a value.
//! 5. *Texts survive HTML and addresses*: no double quotes in labels and headings, no spaces that HTML would collapse.

use super::nato::NATO;
use super::values::{Banks, Kind};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, LazyLock};

/// The forms that come with the crate.
pub(super) static BUILT_IN: LazyLock<Arc<Forms>> =
    LazyLock::new(|| Arc::new(Forms::parse(&TEXTS).expect("data/scd_tables/ is tested with the crate")));

const TEXTS: Texts<'static> = Texts {
    values: include_str!("../../../data/scd_tables/values.toml"),
    topics: include_str!("../../../data/scd_tables/topics.toml"),
    blocks: include_str!("../../../data/scd_tables/blocks.toml"),
    configurations: include_str!("../../../data/scd_tables/configurations.toml"),
    templates: include_str!("../../../data/scd_tables/templates.toml"),
};

/// The files.
#[derive(Clone, Copy)]
struct Texts<'t> {
    values: &'t str,
    topics: &'t str,
    blocks: &'t str,
    configurations: &'t str,
    templates: &'t str,
}

/// Everything that forms are made of.
#[derive(Debug)]
pub(super) struct Forms {
    pub(super) banks: Banks,
    pub(super) topics: Vec<Topic>,
    pub(super) blocks: Vec<Block>,
    pub(super) configurations: Vec<Configuration>,
    pub(super) templates: Vec<Template>,
}

/// A label, and what kind of value stands beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) label: String,
    pub(super) kind: Kind,
}

/// A group of fields that forms share.
#[derive(Debug)]
pub(super) struct Topic {
    name: String,
    pub(super) fields: Vec<Field>,
}

/// A repeated block: a header row and records.
#[derive(Debug)]
pub(super) struct Block {
    name: String,
    pub(super) headings: Vec<String>,
    /// How many of the columns are always there.
    pub(super) keep: usize,
    pub(super) columns: Vec<Field>,
}

/// In which order sections and blocks stand.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Configuration {
    name: String,
    pub(super) level: Arranged,
    pub(super) order: Vec<Part>,
    heading: String,
    pub(super) fields: Order,
}

/// The levels that have configurations: a flat grid has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum Arranged {
    M,
    L,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Part {
    Section,
    Block,
}

/// How the fields of a section are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Order {
    /// Groups stay together.
    Grouped,
    Shuffled,
    /// By the alphabet.
    Sorted,
}

/// One form.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) name: String,
    pub(super) title: String,
    /// Whom it asks about; the first is always there.
    pub(super) parties: Vec<String>,
    /// Its groups of fields, by place.
    pub(super) topics: Vec<usize>,
    /// The blocks that it may have, by place.
    pub(super) blocks: Vec<usize>,
    /// Its own fields.
    pub(super) fields: Vec<Field>,
}

/// Forms that cannot be used, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct FormsError(String);

impl FormsError {
    pub(super) fn new(message: impl fmt::Display) -> Self {
        Self(message.to_string())
    }
}

pub(super) fn refuse<T>(message: impl fmt::Display) -> Result<T, FormsError> {
    Err(FormsError::new(message))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicsData {
    topic: Vec<TopicData>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicData {
    name: String,
    fields: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlocksData {
    block: Vec<BlockData>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockData {
    name: String,
    headings: Vec<String>,
    keep: usize,
    columns: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigurationsData {
    configuration: Vec<Configuration>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TemplatesData {
    template: Vec<TemplateData>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TemplateData {
    name: String,
    title: String,
    parties: Vec<String>,
    topics: Vec<String>,
    blocks: Vec<String>,
    fields: Vec<String>,
}

fn read<'t, T: Deserialize<'t>>(what: &str, text: &'t str) -> Result<T, FormsError> {
    toml::from_str(text).map_err(|error| FormsError::new(format_args!("{what}: {error}")))
}

impl Forms {
    fn parse(texts: &Texts<'_>) -> Result<Self, FormsError> {
        let words = [texts.values, texts.topics, texts.blocks, texts.configurations, texts.templates];
        // Comments may name them; data may not.
        let data = words.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with('#'));
        for word in data.flat_map(|line| line.split(|letter: char| !letter.is_alphabetic() && letter != '-')) {
            if NATO.iter().any(|nato| nato.eq_ignore_ascii_case(word)) {
                return refuse(format_args!("\"{word}\" is a NATO word: those are what tasks put into cells"));
            }
        }
        let banks = Banks::parse(texts.values)?;
        let TopicsData { topic } = read("topics", texts.topics)?;
        let topics = topic
            .into_iter()
            .map(|TopicData { name, fields }| Ok(Topic { fields: all_fields(&banks, &name, &fields)?, name }));
        let topics = topics.collect::<Result<Vec<_>, _>>()?;
        let BlocksData { block } = read("blocks", texts.blocks)?;
        let blocks = block.into_iter().map(|BlockData { name, headings, keep, columns }| {
            Ok(Block { columns: all_fields(&banks, &name, &columns)?, name, headings, keep })
        });
        let blocks = blocks.collect::<Result<Vec<_>, _>>()?;
        let ConfigurationsData { configuration: configurations } = read("configurations", texts.configurations)?;
        let TemplatesData { template } = read("templates", texts.templates)?;
        let templates = template.into_iter().map(|data| {
            let places = |wanted: &[String], known: &dyn Fn(&str) -> Option<usize>| {
                let place = |name: &String| {
                    known(name)
                        .ok_or_else(|| FormsError::new(format_args!("\"{}\": there is no \"{name}\"", data.name)))
                };
                wanted.iter().map(place).collect::<Result<Vec<_>, _>>()
            };
            Ok(Template {
                topics: places(&data.topics, &|name| topics.iter().position(|topic| topic.name == name))?,
                blocks: places(&data.blocks, &|name| blocks.iter().position(|block| block.name == name))?,
                fields: all_fields(&banks, &data.name, &data.fields)?,
                name: data.name,
                title: data.title,
                parties: data.parties,
            })
        });
        let templates = templates.collect::<Result<Vec<_>, _>>()?;
        let forms = Self { banks, topics, blocks, configurations, templates };
        forms.check()?;
        Ok(forms)
    }

    fn check(&self) -> Result<(), FormsError> {
        let names = [
            ("topics", self.topics.iter().map(|topic| &topic.name).collect::<Vec<_>>()),
            ("blocks", self.blocks.iter().map(|block| &block.name).collect()),
            ("configurations", self.configurations.iter().map(|configuration| &configuration.name).collect()),
            ("templates", self.templates.iter().map(|template| &template.name).collect()),
            ("headings of blocks", self.blocks.iter().flat_map(|block| &block.headings).collect()),
            ("topics", self.topics.iter().flat_map(|topic| topic.fields.iter().map(|field| &field.label)).collect()),
        ];
        for (what, names) in names {
            once(what, names)?;
        }
        let mut kinds = HashMap::new();
        for field in self.fields() {
            if *kinds.entry(&field.label).or_insert(field.kind) != field.kind {
                return refuse(format_args!("\"{}\" is of two kinds", field.label));
            }
        }
        for block in &self.blocks {
            if block.headings.is_empty() || block.keep == 0 || block.keep > block.columns.len() {
                return refuse(format_args!(
                    "\"{}\": a block has headings, and keeps one or more of its columns",
                    block.name
                ));
            }
            once(&block.name, block.columns.iter().map(|field| &field.label))?;
        }
        let most = |part| {
            let of = self.configurations.iter().map(move |configuration| configuration.count(part));
            of.max().unwrap_or(0)
        };
        let (sections, blocks) = (most(Part::Section), most(Part::Block));
        for template in &self.templates {
            let name = &template.name;
            if template.parties.len() < sections.max(2) || template.blocks.len() < blocks {
                return refuse(format_args!(
                    "\"{name}\" has too few parties or blocks; allowed: {sections} and {blocks} or more"
                ));
            }
            once(name, &template.parties)?;
            once(name, template.blocks.iter().map(|&block| &self.blocks[block].name))?;
            let own = template.fields.iter().map(|field| field.label.clone());
            let shared = self.shared(template).map(|field| field.label.clone());
            let qualified = template
                .parties
                .iter()
                .flat_map(|party| self.shared(template).map(|field| qualified(party, &field.label)));
            once(name, own.chain(shared).chain(qualified))?;
        }
        let texts = self.fields().map(|field| &field.label).chain(self.blocks.iter().flat_map(|block| &block.headings));
        let texts =
            texts.chain(self.templates.iter().flat_map(|template| template.parties.iter().chain([&template.title])));
        match texts.into_iter().find(|text| text.contains('"') || text.split(' ').any(str::is_empty)) {
            Some(text) => refuse(format_args!("\"{text}\" is empty, or has a double quote or needless spaces")),
            None => Ok(()),
        }
    }

    /// Every field of every group, block and template.
    fn fields(&self) -> impl Iterator<Item = &Field> {
        let shared = self.topics.iter().flat_map(|topic| &topic.fields);
        let own = self.templates.iter().flat_map(|template| &template.fields);
        shared.chain(self.blocks.iter().flat_map(|block| &block.columns)).chain(own)
    }

    /// The fields of a template's groups.
    fn shared<'f>(&'f self, template: &'f Template) -> impl Iterator<Item = &'f Field> + Clone {
        template.topics.iter().flat_map(|&topic| &self.topics[topic].fields)
    }

    /// How many different labels there are for the parties of the smallest template: its groups' and, for two parties, its own.
    pub(super) fn labels_of_least(&self) -> Capacity {
        let shared = |template: &Template| self.shared(template).count();
        let least = |of: &dyn Fn(&Template) -> usize| self.templates.iter().map(of).min().unwrap_or(0);
        let columns: HashSet<&str> =
            self.blocks.iter().flat_map(|block| &block.columns).map(|field| field.label.as_str()).collect();
        let clash = |template: &Template| {
            let all = self.shared(template).chain(&template.fields);
            all.filter(|field| columns.contains(field.label.as_str())).count()
        };
        Capacity {
            section: least(&shared),
            flat: least(&|template| 2 * shared(template) + template.fields.len() - clash(template)),
        }
    }
}

/// How many fields every template has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Capacity {
    /// For a section about one party.
    pub(super) section: usize,
    /// For a grid in which no label is twice.
    pub(super) flat: usize,
}

impl Configuration {
    pub(super) fn count(&self, part: Part) -> usize {
        self.order.iter().filter(|other| **other == part).count()
    }

    /// The heading of a section, which is the `nth` from 0.
    pub(super) fn heading(&self, name: &str, nth: usize) -> String {
        let letter = char::from(b'A' + (nth % 26) as u8).to_string();
        let filled = self.heading.replace("{letter}", &letter).replace("{number}", &(nth + 1).to_string());
        filled.replace("{name}", name)
    }
}

/// The label of a field of somebody in a grid where it would not be clear whose it is: `Spouse date of birth`.
pub(super) fn qualified(party: &str, label: &str) -> String {
    let mut letters = label.chars();
    match (letters.next(), letters.clone().next()) {
        // Not of abbreviations.
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            format!("{party} {}{}", first.to_lowercase(), letters.as_str())
        }
        _ => format!("{party} {label}"),
    }
}

fn all_fields(banks: &Banks, of: &str, texts: &[String]) -> Result<Vec<Field>, FormsError> {
    let field = |text: &String| {
        let (label, kind) = text
            .split_once(": ")
            .ok_or_else(|| FormsError::new(format_args!("\"{of}\": \"{text}\" is no \"label: kind\"")))?;
        let known = banks.kind(kind);
        let kind = known.ok_or_else(|| FormsError::new(format_args!("\"{of}\": there is no kind \"{kind}\"")))?;
        Ok(Field { label: label.to_owned(), kind })
    };
    texts.iter().map(field).collect()
}

fn once<T: AsRef<str> + std::hash::Hash + Eq>(
    what: &str,
    names: impl IntoIterator<Item = T>,
) -> Result<(), FormsError> {
    let mut seen = HashSet::new();
    for name in names {
        if seen.contains(&name) {
            return refuse(format_args!("{what}: \"{}\" occurs twice", name.as_ref()));
        }
        seen.insert(name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_is_as_large_as_the_paper_says_or_larger() {
        let forms = &*BUILT_IN;
        let labels: HashSet<&str> = forms.fields().map(|field| field.label.as_str()).collect();
        let counts = (forms.templates.len(), labels.len(), forms.blocks.len(), forms.configurations.len());
        assert_eq!(counts, (58, 942, 8, 12));
        // Paper, appendix A.2: 53 templates, 144 labels.
        assert!(counts.0 >= 53 && counts.1 >= 144);
        let used: HashSet<usize> = forms.templates.iter().flat_map(|template| template.blocks.clone()).collect();
        assert_eq!(used.len(), 8);
        for configuration in forms.configurations.iter().filter(|configuration| configuration.level == Arranged::L) {
            assert!((3..=5).contains(&configuration.count(Part::Section)) && configuration.count(Part::Block) >= 2);
        }
    }

    #[test]
    fn qualified_labels_read_as_such() {
        assert_eq!(qualified("Spouse", "Date of birth"), "Spouse date of birth");
        assert_eq!(qualified("Spouse", "IBAN"), "Spouse IBAN");
        assert_eq!(qualified("Spouse", "PO box"), "Spouse PO box");
    }

    #[test]
    fn forms_that_would_be_ambiguous_are_refused() {
        let told = |texts: Texts<'_>| Forms::parse(&texts).expect_err("refused").to_string();
        let with = |of: &str, from: &str, to: &str| {
            assert!(of.contains(from), "{from}");
            of.replacen(from, to, 1)
        };
        let topics = |from: &str, to: &str| told(Texts { topics: &with(TEXTS.topics, from, to), ..TEXTS });
        let templates = |from: &str, to: &str| told(Texts { templates: &with(TEXTS.templates, from, to), ..TEXTS });
        assert_eq!(topics("Mobile: phone", "Phone: phone"), "topics: \"Phone\" occurs twice");
        assert_eq!(
            topics("Mobile: phone", "Hotel: phone"),
            "\"Hotel\" is a NATO word: those are what tasks put into cells"
        );
        assert_eq!(topics("Mobile: phone", "Mobile: fone"), "\"contact\": there is no kind \"fone\"");
        assert_eq!(topics("Mobile: phone", "Mobile phone"), "\"contact\": \"Mobile phone\" is no \"label: kind\"");
        let own = "Express service: yesno";
        assert_eq!(templates(own, "Mobile: phone"), "passport-application: \"Mobile\" occurs twice");
        assert_eq!(templates(own, "Spouse mobile: phone"), "passport-application: \"Spouse mobile\" occurs twice");
        assert_eq!(templates(own, "Plate: yesno"), "\"Plate\" is of two kinds");
        assert_eq!(
            templates(own, "Express  service: yesno"),
            "\"Express  service\" is empty, or has a double quote or needless spaces"
        );
        assert_eq!(
            templates("\"Father\", \"Guarantor\"", "\"Father\", \"Mother\""),
            "passport-application: \"Mother\" occurs twice"
        );
        assert_eq!(
            templates("\"identity\"", "\"identification\""),
            "\"passport-application\": there is no \"identification\""
        );
        let few = "\"passport-application\" has too few parties or blocks; allowed: 5 and 4 or more";
        assert_eq!(templates(", \"Guarantor\"]", "]"), few);
        let blocks = with(TEXTS.blocks, "\"Education\", ", "\"Trips\", ");
        assert_eq!(told(Texts { blocks: &blocks, ..TEXTS }), "headings of blocks: \"Trips\" occurs twice");
    }
}
