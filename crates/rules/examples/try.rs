//! Reads rule files and tries every rule at small widths.
use planish_base::SourceText;
use planish_rules::set::*;
fn main() {
    let files = std::env::args().skip(1).map(|p| SourceText::new(p.clone(), std::fs::read_to_string(&p).unwrap())).collect();
    let (set, findings) = RuleSet::read(files);
    println!("{}", set.render(&findings));
    println!("{}", set.render(&set.judge(Strictness::Book)));
    println!("{} rules", set.rules.len());
    for d in set.decisions() {
        println!("{}: {} rows {} trees depth {}", d.matrix.op, d.matrix.rows.len(), d.trees.len(), d.depth());
    }
    let widths: Vec<u32> = vec![1,2,3,4];
    for (_, rule) in set.rules.iter() {
        let t = std::time::Instant::now();
        let tally = planish_rules::exhaust::exhaust(rule, &widths, 100_000);
        if tally.applied == 0 || tally.wrong.is_some() || t.elapsed().as_millis() > 300 {
        println!("{}: {} cases, {} applied {}{:?} {:?}", rule.name, tally.cases, tally.applied, if tally.sampled {"sampled "} else {""}, t.elapsed(), tally.wrong);
        }
    }
}
