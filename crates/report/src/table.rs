//! Tables of short texts, as Markdown, LaTeX (booktabs) and CSV.
//!
//! The first column is text and stands to the left, the others to the right. Linear in the size of the table.

use std::fmt::Write;

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What its file is called, without an extension.
    pub name: String,
    /// What it shows, in a sentence.
    pub caption: String,
    /// The heads of the columns.
    pub heads: Vec<String>,
    /// The rows, each as long as the heads.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(name: &str, caption: &str, heads: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            caption: caption.to_owned(),
            heads: heads.iter().map(ToString::to_string).collect(),
            rows: Vec::new(),
        }
    }

    /// One more row.
    pub fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// As Markdown, columns padded to one width.
    pub fn markdown(&self) -> String {
        let cell = |text: &str| text.replace('|', "\\|");
        let widths: Vec<usize> = (0..self.heads.len())
            .map(|at| {
                let cells = self.rows.iter().filter_map(|row| row.get(at)).chain(self.heads.get(at));
                cells.map(|text| cell(text).chars().count()).max().unwrap_or_default().max(3)
            })
            .collect();
        let line = |cells: &[String]| {
            let padded = cells.iter().zip(&widths).enumerate().map(|(at, (text, &width))| {
                let text = cell(text);
                if at == 0 { format!("{text:<width$}") } else { format!("{text:>width$}") }
            });
            format!("| {} |\n", padded.collect::<Vec<_>>().join(" | "))
        };
        let rules: Vec<String> = widths
            .iter()
            .enumerate()
            .map(|(at, &width)| if at == 0 { "-".repeat(width) } else { "-".repeat(width - 1) + ":" })
            .collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}{}{rows}", line(&self.heads), line(&rules))
    }

    /// As a LaTeX `table` with `booktabs` rules.
    pub fn latex(&self) -> String {
        let line = |cells: &[String]| cells.iter().map(|text| latex(text)).collect::<Vec<_>>().join(" & ") + " \\\\\n";
        let mut text = String::new();
        let columns = "l".to_owned() + &"r".repeat(self.heads.len().saturating_sub(1));
        let _ = writeln!(text, "% needs \\usepackage{{booktabs}}\n\\begin{{table}}\n\\centering");
        let _ = writeln!(text, "\\caption{{{}}}\n\\label{{tab:{}}}", latex(&self.caption), self.name);
        let _ = writeln!(text, "\\begin{{tabular}}{{{columns}}}\n\\toprule");
        text += &line(&self.heads);
        text += "\\midrule\n";
        for row in &self.rows {
            text += &line(row);
        }
        text += "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
        text
    }

    /// As comma-separated values.
    pub fn csv(&self) -> String {
        let cell = |text: &String| {
            if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.clone() }
        };
        let line = |cells: &[String]| cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        line(&self.heads) + &rows
    }
}

fn latex(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', letter]),
            '\\' => escaped += "\\textbackslash{}",
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            '−' => escaped += "$-$",
            '–' => escaped += "--",
            '≥' => escaped += "$\\ge$",
            '≤' => escaped += "$\\le$",
            'ρ' => escaped += "$\\rho$",
            'τ' => escaped += "$\\tau$",
            '✓' => escaped += "yes",
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("t", "Shares of 100 %", &["name", "a_b"]);
        table.push(["x|y".to_owned(), "−1".to_owned()]);
        table.push(["say \"z\", or".to_owned(), "20".to_owned()]);
        table
    }

    #[test]
    fn markdown_lines_up() {
        let expected =
            "| name        | a_b |\n| ----------- | --: |\n| x\\|y        |  −1 |\n| say \"z\", or |  20 |\n";
        assert_eq!(table().markdown(), expected);
    }

    #[test]
    fn latex_is_escaped() {
        let text = table().latex();
        assert!(
            text.contains("\\caption{Shares of 100 \\%}")
                && text.contains("\\begin{tabular}{lr}\n\\toprule\nname & a\\_b \\\\\n\\midrule\n")
        );
        assert!(text.contains("x|y & $-$1 \\\\\n"));
    }

    #[test]
    fn csv_is_quoted_where_it_must_be() {
        assert_eq!(table().csv(), "name,a_b\nx|y,−1\n\"say \"\"z\"\", or\",20\n");
    }
}
