//! The steps of a study.
//!
//! `generate` golds, `corrupt` them into pairs, `score` the pairs, `probe` the scores, `report`. What goes into a unit of work is the
//! tool, the part of the config that it reads, and the files that it reads, by content: a change of the bootstrap makes new
//! findings but no new scores, and golds that come out the same after a change make no new pairs.

use super::StudyError;
use super::cache::{Cache, put};
use super::config::{Config, plan};
use super::findings::Findings;
use super::make::{Golds, Pairs, lines, read_golds};
use super::page::{self, Contents};
use super::pictures::{self, Scores};
use super::settings::ConfigError;
use super::watch::{Timing, Watch};
use super::{exhibits, frame, published, tables};
use objalign_gen::symmetric;
use objalign_probe::probes::rows::Probe;
use objalign_probe::probes::scored::{self, Scored};
use objalign_probe::probes::scorers::Scorers;
use objalign_probe::probes::table::Table as ScoreTable;
use objalign_probe::probes::{invariance, order, sensitivity};
use std::io::Cursor;
use std::path::Path;

/// The steps, in order.
pub const STEPS: [&str; 5] = ["generate", "corrupt", "score", "probe", "report"];

/// Which file of pairs is scored how.
fn probe_of(pairs: Pairs) -> Probe {
    match pairs {
        Pairs::Copies | Pairs::Shuffled | Pairs::Symmetric => Probe::Invariance,
        Pairs::Edits => Probe::Sensitivity,
        Pairs::Orders => Probe::Order,
    }
}

/// A study in its folder.
pub struct Study<'c> {
    config: &'c Config,
    cache: Cache,
}

impl<'c> Study<'c> {
    /// The study of a config in a folder, which is made if need be. `tool` is what tells this program from others.
    ///
    /// # Errors
    ///
    /// The folder cannot be made.
    pub fn open(config: &'c Config, folder: &Path, tool: &str) -> Result<Self, StudyError> {
        Ok(Self { config, cache: Cache::open(folder, tool)? })
    }

    /// Golds, pairs, scores, findings: all that figures are made of.
    ///
    /// # Errors
    ///
    /// See [`StudyError`].
    pub fn measure(&mut self, watch: &mut dyn Watch) -> Result<Findings, StudyError> {
        self.generate(watch)?;
        self.corrupt(watch)?;
        self.score(watch)?;
        self.probe(watch)
    }

    /// What is to be read and looked at. The page itself is [`Self::page`].
    ///
    /// # Errors
    ///
    /// See [`StudyError`].
    pub fn report(&mut self, findings: &Findings, watch: &mut dyn Watch) -> Result<(), StudyError> {
        watch.begin(STEPS[4], 1);
        let wanted = ["copies", "shuffled", "symmetric", "edits"].map(|name| format!("work/scores/{name}.parquet"));
        let mut read: Vec<String> = wanted.to_vec();
        read.extend([
            "summary.json".to_owned(),
            "work/golds/sensitivity.jsonl".to_owned(),
            "work/pairs/copies.jsonl".to_owned(),
        ]);
        let inputs = self.cache.inputs("report", self.config, &read);
        let fresh = self.cache.is_fresh("report", &inputs);
        if !fresh {
            let made = self.draw(findings)?;
            self.cache.stamp("report", inputs, &made)?;
        }
        watch.unit("tables and figures", fresh);
        watch.end();
        Ok(())
    }

    /// The page of a study that is done. Always written anew: it says how long the steps took.
    ///
    /// # Errors
    ///
    /// The page cannot be written, or a figure cannot be read.
    pub fn page(&mut self, findings: &Findings, timings: &[Timing]) -> Result<(), StudyError> {
        let beside = published::beside(findings)?;
        let figures = exhibits::read(&self.cache)?;
        let contents = Contents {
            config: self.config,
            config_text: &self.config_text()?,
            findings,
            beside: &beside,
            tables: &tables::all(findings, &beside),
            figures: &figures,
            timings,
        };
        let path = self.cache.path("report.html");
        put(&path, page::html(&contents).as_bytes()).map_err(StudyError::file(&path))?;
        let path = self.cache.path("seconds.md");
        put(&path, frame::seconds(timings).markdown().as_bytes()).map_err(StudyError::file(&path))
    }

    fn config_text(&self) -> Result<String, ConfigError> {
        toml::to_string(self.config).map_err(ConfigError::new)
    }

    fn generate(&mut self, watch: &mut dyn Watch) -> Result<(), StudyError> {
        watch.begin(STEPS[0], Golds::ALL.len());
        for golds in Golds::ALL {
            let (config, file) = (self.config, format!("work/golds/{}.jsonl", golds.name()));
            let inputs = match golds {
                Golds::Invariance => {
                    self.cache.inputs(golds.name(), &(config.seed, &config.graphs, config.invariance.golds), &[])
                }
                Golds::Sensitivity => {
                    self.cache.inputs(golds.name(), &(config.seed, &config.graphs, config.sensitivity.golds), &[])
                }
                Golds::Order => {
                    self.cache.inputs(golds.name(), &(config.seed, &config.orders, config.order.golds), &[])
                }
            };
            let unit = format!("golds/{}", golds.name());
            let fresh = self.cache.is_fresh(&unit, &inputs);
            if !fresh {
                let made = lines(&golds.make(config)?);
                self.cache.write(&file, &made)?;
                self.cache.stamp(&unit, inputs, &[file])?;
            }
            watch.unit(golds.name(), fresh);
        }
        watch.end();
        Ok(())
    }

    fn corrupt(&mut self, watch: &mut dyn Watch) -> Result<(), StudyError> {
        let wanted = self.wanted();
        watch.begin(STEPS[1], wanted.len());
        for pairs in wanted {
            let (config, file) = (self.config, pairs_file(pairs));
            let golds = pairs.golds().map(|golds| format!("work/golds/{}.jsonl", golds.name()));
            let read: Vec<String> = golds.iter().cloned().collect();
            let parts = (config.seed, &config.graphs, &config.invariance, &config.sensitivity, &config.order);
            let inputs = match pairs {
                Pairs::Copies => self.cache.inputs(pairs.name(), &(parts.0, parts.1, parts.2.copies), &read),
                Pairs::Shuffled => self.cache.inputs(pairs.name(), &(parts.0, parts.1, parts.2.shuffled), &read),
                Pairs::Symmetric => self.cache.inputs(pairs.name(), &(parts.0, parts.2.symmetric), &read),
                Pairs::Edits => self.cache.inputs(pairs.name(), &(parts.0, parts.1, parts.3), &read),
                Pairs::Orders => self.cache.inputs(pairs.name(), &(parts.0, parts.4), &read),
            };
            let unit = format!("pairs/{}", pairs.name());
            let fresh = self.cache.is_fresh(&unit, &inputs);
            if !fresh {
                let golds = match &golds {
                    Some(file) => read_golds(&self.cache.path(file), &self.cache.read(file)?)?,
                    None => Vec::new(),
                };
                let made = pairs.make(config, &golds)?;
                self.cache.write(&file, &made)?;
                self.cache.stamp(&unit, inputs, &[file])?;
            }
            watch.unit(pairs.name(), fresh);
        }
        watch.end();
        Ok(())
    }

    fn wanted(&self) -> Vec<Pairs> {
        let wanted = |pairs: &Pairs| match pairs {
            Pairs::Shuffled => self.config.invariance.shuffled > 0,
            Pairs::Symmetric => self.config.invariance.symmetric > 0,
            _ => true,
        };
        Pairs::ALL.into_iter().filter(wanted).collect()
    }

    fn score(&mut self, watch: &mut dyn Watch) -> Result<(), StudyError> {
        let wanted = self.wanted();
        watch.begin(STEPS[2], wanted.len());
        for pairs in wanted {
            let (probe, file) = (probe_of(pairs), pairs_file(pairs));
            let unit = format!("scores/{}", pairs.name());
            let inputs = self.cache.inputs(&unit, &self.config.scorers, std::slice::from_ref(&file));
            let fresh = self.cache.is_fresh(&unit, &inputs);
            if !fresh {
                let scorers = self.scorers(pairs)?;
                let (path, bytes) = (self.cache.path(&file), self.cache.read(&file)?);
                let scored = scored::score(Cursor::new(bytes), probe, &scorers)
                    .map_err(|error| StudyError::spoilt(&path, error))?;
                if let Some((facts, why)) = scored.failed().next() {
                    return Err(StudyError::Pair { path, reason: format!("{}: {why}", facts.id) });
                }
                let made = [scores_file(pairs), format!("work/scores/{}.csv", pairs.name())];
                let mut table = ScoreTable::new(probe, &scored).map_err(|error| StudyError::spoilt(&path, error))?;
                let (mut parquet, mut csv) = (Vec::new(), Vec::new());
                table.write_parquet(&mut parquet).map_err(|error| StudyError::spoilt(&path, error))?;
                table.write_csv(&mut csv).map_err(|error| StudyError::spoilt(&path, error))?;
                self.cache.write(&made[0], &parquet)?;
                self.cache.write(&made[1], &csv)?;
                self.cache.stamp(&unit, inputs, &made)?;
            }
            watch.unit(pairs.name(), fresh);
        }
        watch.end();
        Ok(())
    }

    fn scorers(&self, pairs: Pairs) -> Result<Scorers, ConfigError> {
        if pairs != Pairs::Symmetric {
            return self.config.scorers(probe_of(pairs));
        }
        let mut scorers = Scorers::new();
        for name in &self.config.scorers.graphs {
            scorers = scorers.with_schema(name, plan(&symmetric::schema(name == "ra"))?, self.config.options()?);
        }
        Ok(scorers)
    }

    fn scores(&self, pairs: Pairs) -> Result<Scored, StudyError> {
        let file = scores_file(pairs);
        let bytes = self.cache.read(&file)?;
        ScoreTable::read_parquet(Cursor::new(bytes), probe_of(pairs))
            .map_err(|error| StudyError::spoilt(&self.cache.path(&file), error))
    }

    fn probe(&mut self, watch: &mut dyn Watch) -> Result<Findings, StudyError> {
        watch.begin(STEPS[3], 1);
        let wanted = self.wanted();
        let read: Vec<String> = wanted.iter().map(|pairs| scores_file(*pairs)).collect();
        let inputs = self.cache.inputs("probe", &self.config.bootstrap, &read);
        let file = "summary.json".to_owned();
        let fresh = self.cache.is_fresh("probe", &inputs);
        if !fresh {
            let findings = self.find(&wanted)?;
            let path = self.cache.path(&file);
            let text = serde_json::to_string_pretty(&findings).map_err(|error| StudyError::spoilt(&path, error))?;
            self.cache.write(&file, (text + "\n").as_bytes())?;
            self.cache.stamp("probe", inputs, std::slice::from_ref(&file))?;
        }
        watch.unit("figures with intervals", fresh);
        watch.end();
        // Read back in either case: what is reported is what is in the file.
        serde_json::from_slice(&self.cache.read(&file)?)
            .map_err(|error| StudyError::spoilt(&self.cache.path(&file), error))
    }

    fn find(&self, wanted: &[Pairs]) -> Result<Findings, StudyError> {
        let bootstrap = self.config.bootstrap();
        let summary = |pairs: Pairs| self.scores(pairs).map(|scored| invariance::summary(&scored, bootstrap));
        let copies = |pairs: Pairs| wanted.contains(&pairs).then(|| summary(pairs)).transpose();
        // Side by side: reading the scores and setting up the statistics is work for one thread.
        let ((invariance, (shuffled, symmetric)), (sensitivity, order)) = rayon::join(
            || (summary(Pairs::Copies), (copies(Pairs::Shuffled), copies(Pairs::Symmetric))),
            || {
                rayon::join(
                    || self.scores(Pairs::Edits).map(|scored| sensitivity::summary(&scored, bootstrap)),
                    || self.scores(Pairs::Orders).map(|scored| order::summary(&scored, bootstrap)),
                )
            },
        );
        Ok(Findings {
            invariance: invariance?,
            shuffled: shuffled?,
            symmetric: symmetric?,
            sensitivity: sensitivity?,
            order: order?,
        })
    }

    /// Tables and figures; the files that were made.
    fn draw(&mut self, findings: &Findings) -> Result<Vec<String>, StudyError> {
        let beside = published::beside(findings)?;
        let mut made = exhibits::tables(&mut self.cache, &tables::all(findings, &beside))?;
        let golds = |name: &str| {
            let file = format!("work/golds/{name}.jsonl");
            read_golds(&self.cache.path(&file), &self.cache.read(&file)?)
        };
        let wanted = self.wanted();
        let some = |pairs: Pairs| wanted.contains(&pairs).then(|| self.scores(pairs)).transpose();
        let scores = Scores {
            copies: self.scores(Pairs::Copies)?,
            shuffled: some(Pairs::Shuffled)?,
            symmetric: some(Pairs::Symmetric)?,
            edits: self.scores(Pairs::Edits)?,
        };
        let specimen = pictures::specimen(
            self.config,
            &golds("invariance")?,
            &scores.copies,
            &self.cache.read(&pairs_file(Pairs::Copies))?,
        );
        let drawings =
            pictures::all(self.config, findings, &beside, &scores, &golds("sensitivity")?, specimen.as_ref());
        made.extend(exhibits::drawings(&mut self.cache, &drawings)?);
        self.cache.write("config.toml", self.config_text()?.as_bytes())?;
        made.push("config.toml".to_owned());
        Ok(made)
    }
}

fn pairs_file(pairs: Pairs) -> String {
    format!("work/pairs/{}.jsonl", pairs.name())
}

fn scores_file(pairs: Pairs) -> String {
    format!("work/scores/{}.parquet", pairs.name())
}
