//! The steps of the study.
//!
//! `generate` tasks of both domains, `complete` them by simulated models, `measure` the completions, `probe` the measures, `report`.
//! What goes into a unit of work is the tool, the part of the config that it reads, and the files that it reads, by content: another
//! model needs no new tasks, and other resamples no new completions.

use super::config::{Config, Results};
use super::findings::{Findings, is_level};
use super::page::{self, Contents};
use super::published::Published;
use super::{pictures, tables};
use crate::study::cache::{Cache, hash, put};
use crate::study::settings::ConfigError;
use crate::study::watch::{Timing, Watch};
use crate::study::{StudyError, exhibits, frame};
use objalign_core::scd::Reward;
use objalign_gen::corrupt::Misfit;
use objalign_gen::scd::damage::Damage;
use objalign_gen::scd::models::complete;
use objalign_gen::scd::sets::TaskSource;
use objalign_gen::scd::task::{Domain, TaskRow};
use objalign_probe::probes::figure::Named;
use objalign_probe::scd::runner::{self, Setup};
use objalign_probe::scd::summary::{Of, Summary};
use objalign_probe::scd::tasks::Tasks;
use objalign_probe::scd::{cross, metrology};
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

/// The steps, in order.
pub const STEPS: [&str; 5] = ["generate", "complete", "measure", "probe", "report"];

/// The domains, in the order in which they are shown.
const DOMAINS: [Domain; 2] = [Domain::Json, Domain::Table];

/// The set that the probes take their tasks from.
const CORE: &str = "core";

const METROLOGY: &str = "work/probes/metrology.json";
const CROSS: &str = "work/probes/cross.json";
const SUMMARY: &str = "summary.json";

/// A study in its folder.
pub struct Study<'c> {
    config: &'c Config,
    cache: Cache,
    /// By domain, the names of the sets of tasks that are wanted.
    sets: Vec<(Domain, Vec<String>)>,
}

/// What `objalign scd --summary` said of a model.
struct Given<'c> {
    results: &'c Results,
    hash: String,
    means: Named<Of>,
}

/// A line of a file of completions.
#[derive(Serialize)]
struct Completion<'a> {
    id: &'a str,
    completion: &'a str,
}

impl<'c> Study<'c> {
    /// The study of a config in a folder, which is made if need be. `tool` is what tells this program from others.
    ///
    /// # Errors
    ///
    /// The folder cannot be made.
    pub fn open(config: &'c Config, folder: &Path, tool: &str) -> Result<Self, StudyError> {
        let sets = DOMAINS.into_iter().map(|domain| {
            let sets = config.source(domain)?.sets();
            Ok((domain, sets.into_iter().map(|set| set.name).collect()))
        });
        let sets = sets.collect::<Result<_, ConfigError>>()?;
        Ok(Self { config, cache: Cache::open(folder, tool)?, sets })
    }

    /// Tasks, completions, measures, findings: all that figures are made of.
    ///
    /// # Errors
    ///
    /// See [`StudyError`].
    pub fn measure(&mut self, watch: &mut dyn Watch) -> Result<Findings, StudyError> {
        // What was measured elsewhere is read first: a file that is not there is said before the work.
        let given = self.given()?;
        self.generate(watch)?;
        self.complete(watch)?;
        self.score(watch)?;
        self.probe(&given, watch)
    }

    /// What is to be read and looked at. The page itself is [`Self::page`].
    ///
    /// # Errors
    ///
    /// See [`StudyError`].
    pub fn report(&mut self, findings: &Findings, watch: &mut dyn Watch) -> Result<(), StudyError> {
        watch.begin(STEPS[4], 1);
        let inputs = self.cache.inputs("report", self.config, &[SUMMARY.to_owned()]);
        let fresh = self.cache.is_fresh("report", &inputs);
        if !fresh {
            let published = Published::read()?;
            let mut made = exhibits::tables(&mut self.cache, &tables::all(findings, &published))?;
            made.extend(exhibits::drawings(&mut self.cache, &pictures::all(findings, &published))?);
            self.cache.write("config.toml", self.config_text()?.as_bytes())?;
            made.push("config.toml".to_owned());
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
        let published = Published::read()?;
        let contents = Contents {
            config: self.config,
            config_text: &self.config_text()?,
            findings,
            published: &published,
            tables: &tables::all(findings, &published),
            figures: &exhibits::read(&self.cache)?,
            timings,
        };
        for (file, text) in [("report.html", page::html(&contents)), ("seconds.md", frame::seconds(timings).markdown())]
        {
            let path = self.cache.path(file);
            put(&path, text.as_bytes()).map_err(StudyError::file(&path))?;
        }
        Ok(())
    }

    fn config_text(&self) -> Result<String, ConfigError> {
        toml::to_string(self.config).map_err(ConfigError::new)
    }

    /// Every set of every domain.
    fn sets(&self) -> Vec<(Domain, String)> {
        let named = |(domain, sets): &(Domain, Vec<String>)| {
            let domain = *domain;
            sets.iter().map(move |set| (domain, set.clone())).collect::<Vec<_>>()
        };
        self.sets.iter().flat_map(named).collect()
    }

    fn generate(&mut self, watch: &mut dyn Watch) -> Result<(), StudyError> {
        watch.begin(STEPS[0], self.sets().len());
        for (domain, _) in self.sets.clone() {
            let source = self.config.source(domain)?;
            for (at, set) in source.sets().iter().enumerate() {
                let file = tasks_file(domain, &set.name);
                let conditions: Vec<(&str, u64)> =
                    set.conditions.iter().map(|condition| (condition.name.as_str(), condition.tasks)).collect();
                let inputs = self.cache.inputs(&file, &(self.config.seed, conditions), &[]);
                let fresh = self.cache.is_fresh(&file, &inputs);
                if !fresh {
                    let made = tasks(source.as_ref(), at);
                    self.cache.write(&file, &lines(&made))?;
                    self.cache.stamp(&file, inputs, std::slice::from_ref(&file))?;
                }
                watch.unit(&format!("{} {}", domain.name(), set.name), fresh);
            }
        }
        watch.end();
        Ok(())
    }

    fn complete(&mut self, watch: &mut dyn Watch) -> Result<(), StudyError> {
        let sets = self.sets();
        watch.begin(STEPS[1], sets.len() * self.config.model.len());
        for (domain, set) in sets {
            let from = tasks_file(domain, &set);
            // Read for the first model that needs them.
            let mut asked: Option<Vec<(TaskRow, Damage)>> = None;
            for model in &self.config.model {
                let file = completions_file(&model.name, domain, &set);
                let inputs = self.cache.inputs(&file, &(self.config.seed, model), std::slice::from_ref(&from));
                let fresh = self.cache.is_fresh(&file, &inputs);
                if !fresh {
                    if asked.is_none() {
                        let of = |row: TaskRow| Damage::of(&row).map(|damage| (row, damage));
                        let rows: Result<_, Misfit> = self.rows(&from)?.into_par_iter().map(of).collect();
                        asked = Some(rows.map_err(|error| self.misfit(&from, error))?);
                    }
                    let said = asked.as_deref().unwrap_or_default().par_iter().map(|(row, damage)| {
                        let said = complete(model, row, damage, self.config.seed)?;
                        Ok(line(&Completion { id: &row.id, completion: &said }))
                    });
                    let said: Result<Vec<String>, Misfit> = said.collect();
                    let said = said.map_err(|error| self.misfit(&from, error))?;
                    self.cache.write(&file, said.concat().as_bytes())?;
                    self.cache.stamp(&file, inputs, std::slice::from_ref(&file))?;
                }
                watch.unit(&format!("{} {} {set}", model.name, domain.name()), fresh);
            }
        }
        watch.end();
        Ok(())
    }

    /// Measures of each completion, and means by level and condition.
    fn score(&mut self, watch: &mut dyn Watch) -> Result<(), StudyError> {
        watch.begin(STEPS[2], self.sets.len() * self.config.model.len());
        for (domain, sets) in self.sets.clone() {
            let asked: Vec<String> = sets.iter().map(|set| tasks_file(domain, set)).collect();
            let mut tasks: Option<Tasks> = None;
            for model in &self.config.model {
                let said: Vec<String> = sets.iter().map(|set| completions_file(&model.name, domain, set)).collect();
                let made = [measures_file(&model.name, domain), summary_file(&model.name, domain)];
                let read: Vec<String> = asked.iter().chain(&said).cloned().collect();
                let inputs = self.cache.inputs(&made[0], &self.config.bootstrap, &read);
                let fresh = self.cache.is_fresh(&made[0], &inputs);
                if !fresh {
                    let tasks = match &tasks {
                        Some(tasks) => tasks,
                        None => tasks.insert(self.tasks(&asked)?),
                    };
                    let (rows, means) = self.measured(tasks, &said)?;
                    self.cache.write(&made[0], rows.as_bytes())?;
                    self.write_json(&made[1], &means)?;
                    self.cache.stamp(&made[0], inputs, &made)?;
                }
                watch.unit(&format!("{} {}", model.name, domain.name()), fresh);
            }
        }
        watch.end();
        Ok(())
    }

    fn measured(&self, tasks: &Tasks, said: &[String]) -> Result<(String, Named<Of>), StudyError> {
        let threads = NonZeroUsize::new(rayon::current_num_threads()).unwrap_or(NonZeroUsize::MIN);
        let setup = Setup { tasks, fates: false, threads };
        let (mut rows, mut summary, mut failed) = (String::new(), Summary::new(), None);
        for file in said {
            let ran = runner::run(self.cache.read(file)?.as_slice(), &setup, |outcomes| {
                for outcome in &outcomes {
                    rows.extend([outcome.line(Reward::COMPOSITE).as_str(), "\n"]);
                    summary.add(outcome);
                    failed = failed.take().or_else(|| outcome.error.clone());
                }
                Ok(())
            });
            ran.map_err(|error| StudyError::spoilt(&self.cache.path(file), error))?;
            if let Some(reason) = failed {
                return Err(StudyError::spoilt(&self.cache.path(file), reason));
            }
        }
        Ok((rows, summary.figures(self.config.bootstrap())))
    }

    fn probe(&mut self, given: &[Given<'c>], watch: &mut dyn Watch) -> Result<Findings, StudyError> {
        watch.begin(STEPS[3], 3);
        let core: Vec<String> = DOMAINS.iter().map(|domain| tasks_file(*domain, CORE)).collect();
        let (config, seed) = (self.config, self.config.seed);
        let inputs = self.cache.inputs(METROLOGY, &(seed, &config.metrology), &core);
        let fresh = self.cache.is_fresh(METROLOGY, &inputs);
        if !fresh {
            let rows = self.first(&core, config.metrology.tasks)?;
            let found = metrology::run(&rows, &config.metrology.doses, seed);
            self.write_json(METROLOGY, &found.map_err(|error| self.misfit(&core[0], error))?)?;
            self.cache.stamp(METROLOGY, inputs, &[METROLOGY.to_owned()])?;
        }
        watch.unit("metrology", fresh);

        let inputs = self.cache.inputs(CROSS, &(seed, &config.cross, config.bootstrap), &core);
        let fresh = self.cache.is_fresh(CROSS, &inputs);
        if !fresh {
            let rows = self.first(&core, config.cross.tasks)?;
            let found = cross::run(&rows, &config.cross.doses, seed, config.bootstrap());
            self.write_json(CROSS, &found.map_err(|error| self.misfit(&core[0], error))?)?;
            self.cache.stamp(CROSS, inputs, &[CROSS.to_owned()])?;
        }
        watch.unit("cross", fresh);

        let mut read = vec![METROLOGY.to_owned(), CROSS.to_owned()];
        for model in &config.model {
            read.extend(DOMAINS.map(|domain| summary_file(&model.name, domain)));
        }
        let names: Vec<&str> = config.model.iter().map(|model| model.name.as_str()).collect();
        let contents: Vec<String> = given.iter().map(|given| given.hash.clone()).collect();
        let inputs = self.cache.inputs(SUMMARY, &(names, &config.results, contents), &read);
        let fresh = self.cache.is_fresh(SUMMARY, &inputs);
        if !fresh {
            let findings = self.find(given)?;
            self.write_json(SUMMARY, &findings)?;
            self.cache.stamp(SUMMARY, inputs, &[SUMMARY.to_owned()])?;
        }
        watch.unit("summary", fresh);
        watch.end();
        // Read back in either case: what is reported is what is in the file.
        self.read_json(SUMMARY)
    }

    fn find(&self, given: &[Given<'_>]) -> Result<Findings, StudyError> {
        let mut models: Vec<(String, Named<Named<Of>>)> = Vec::new();
        for model in &self.config.model {
            let of = DOMAINS
                .into_iter()
                .map(|domain| Ok((domain.name().to_owned(), self.read_json(&summary_file(&model.name, domain))?)));
            models.push((model.name.clone(), of.collect::<Result<_, StudyError>>()?));
        }
        for Given { results, means, .. } in given {
            let of = (results.domain.name().to_owned(), means.clone());
            match models.iter_mut().find(|(name, _)| *name == results.name) {
                Some((_, domains)) => domains.0.push(of),
                None => models.push((results.name.clone(), Named(vec![of]))),
            }
        }
        Ok(Findings { models: Named(models), metrology: self.read_json(METROLOGY)?, cross: self.read_json(CROSS)? })
    }

    /// The results of real models, as they are in their files.
    fn given(&self) -> Result<Vec<Given<'c>>, StudyError> {
        let read = |results: &'c Results| {
            let bytes = fs::read(&results.summary).map_err(StudyError::file(&results.summary))?;
            let means = serde_json::from_slice(&bytes).map_err(|error| {
                let path = results.summary.display();
                ConfigError::new(format_args!("{path}: this is no summary of `objalign scd --summary`: {error}"))
            })?;
            Ok(Given { results, hash: hash(&bytes), means })
        };
        self.config.results.iter().map(read).collect()
    }

    /// The first tasks of each level of each file.
    fn first(&self, files: &[String], count: u32) -> Result<Vec<TaskRow>, StudyError> {
        let mut first = Vec::new();
        for file in files {
            let mut taken: BTreeMap<String, u32> = BTreeMap::new();
            first.extend(self.rows(file)?.into_iter().filter(|row| {
                let taken = taken.entry(row.level.clone()).or_default();
                *taken += 1;
                is_level(&row.level) && *taken <= count
            }));
        }
        Ok(first)
    }

    fn rows(&self, file: &str) -> Result<Vec<TaskRow>, StudyError> {
        let bytes = self.cache.read(file)?;
        let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        let rows: Result<Vec<TaskRow>, serde_json::Error> =
            lines.par_iter().map(|line| serde_json::from_slice(line)).collect();
        rows.map_err(|error| StudyError::spoilt(&self.cache.path(file), error))
    }

    fn tasks(&self, files: &[String]) -> Result<Tasks, StudyError> {
        let mut bytes = Vec::new();
        for file in files {
            bytes.extend(self.cache.read(file)?);
        }
        let place = self.cache.path(files.first().map_or("work", String::as_str));
        Tasks::read(bytes.as_slice()).map_err(|error| StudyError::spoilt(&place, error))
    }

    fn write_json(&mut self, file: &str, content: &impl Serialize) -> Result<(), StudyError> {
        let path = self.cache.path(file);
        let text = serde_json::to_string_pretty(content).map_err(|error| StudyError::spoilt(&path, error))?;
        self.cache.write(file, (text + "\n").as_bytes())
    }

    fn read_json<T: DeserializeOwned>(&self, file: &str) -> Result<T, StudyError> {
        let bytes = self.cache.read(file)?;
        serde_json::from_slice(&bytes).map_err(|error| StudyError::spoilt(&self.cache.path(file), error))
    }

    fn misfit(&self, file: &str, error: impl std::fmt::Display) -> StudyError {
        StudyError::Pair { path: self.cache.path(file), reason: error.to_string() }
    }
}

/// The tasks of a set, condition by condition.
fn tasks(source: &dyn TaskSource, set: usize) -> Vec<TaskRow> {
    let conditions = source.sets().swap_remove(set).conditions;
    let places: Vec<(usize, u64)> = conditions
        .iter()
        .enumerate()
        .flat_map(|(condition, of)| (0..of.tasks).map(move |index| (condition, index)))
        .collect();
    places.par_iter().map(|&(condition, index)| source.task(set, condition, index)).collect()
}

fn lines(rows: &[TaskRow]) -> Vec<u8> {
    rows.par_iter().map(line).collect::<Vec<String>>().concat().into_bytes()
}

fn line(row: &impl Serialize) -> String {
    serde_json::to_string(row).unwrap_or_default() + "\n"
}

fn tasks_file(domain: Domain, set: &str) -> String {
    format!("work/tasks/{}-{set}.jsonl", domain.name())
}

fn completions_file(model: &str, domain: Domain, set: &str) -> String {
    format!("work/completions/{model}/{}-{set}.jsonl", domain.name())
}

fn measures_file(model: &str, domain: Domain) -> String {
    format!("work/measures/{model}/{}.jsonl", domain.name())
}

fn summary_file(model: &str, domain: Domain) -> String {
    format!("work/measures/{model}/{}-means.json", domain.name())
}
