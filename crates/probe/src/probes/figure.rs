//! A value with its interval, or the reason why there is none; and things by name, in an order that means something.

use crate::statistics::bca::Estimate;
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// One number of a study. Values and ends are rounded to 12 decimals.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Figure {
    /// The value; null where there is none, and then `note` says why.
    pub value: Option<f64>,
    /// The ends of its 95 % interval; null where there is none, and then `note` says why.
    pub ci95: Option<[f64; 2]>,
    /// What there is to say about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Figure {
    /// A value that no interval is asked for.
    pub fn plain(value: f64, note: &str) -> Self {
        Self { value: number(value), ci95: None, note: Some(note.to_owned()) }
    }

    /// No value.
    pub fn none(why: impl fmt::Display) -> Self {
        Self { value: None, ci95: None, note: Some(why.to_string()) }
    }

    /// Says something about it, before whatever it says already.
    #[must_use]
    pub fn noted(mut self, note: &str) -> Self {
        self.note = Some(match self.note {
            None => note.to_owned(),
            Some(old) => format!("{note}; {old}"),
        });
        self
    }
}

impl From<Estimate> for Figure {
    fn from(estimate: Estimate) -> Self {
        let (ci95, note) = match estimate.interval {
            Ok((low, high)) => (Some([low, high].map(rounded)), None),
            Err(why) => (None, Some(why.to_string())),
        };
        Self { value: number(estimate.value), ci95, note }
    }
}

fn number(value: f64) -> Option<f64> {
    value.is_finite().then_some(rounded(value))
}

/// Also turns -0.0 into 0.0.
fn rounded(value: f64) -> f64 {
    (value * 1e12).round() / 1e12 + 0.0
}

/// Things by name, in an order that means something.
#[derive(Debug, Clone, PartialEq)]
pub struct Named<T>(pub Vec<(String, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Named<T> {
    /// The thing of that name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, thing)| thing)
    }
}

impl<T> FromIterator<(String, T)> for Named<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(things: I) -> Self {
        Self(things.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, thing) in &self.0 {
            map.serialize_entry(name, thing)?;
        }
        map.end()
    }
}

impl<'de, T: serde::de::DeserializeOwned> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let map = serde_json::Map::deserialize(deserializer)?;
        let things = map.into_iter().map(|(name, value)| {
            serde_json::from_value(value).map(|thing| (name, thing)).map_err(serde::de::Error::custom)
        });
        Ok(Self(things.collect::<Result<_, _>>()?))
    }
}
