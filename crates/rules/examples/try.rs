use planish_base::SourceText;
use planish_rules::set::*;
fn main() {
    let files = std::env::args().skip(1).map(|p| SourceText::new(p.clone(), std::fs::read_to_string(&p).unwrap())).collect();
    let (set, findings) = RuleSet::read(files);
    println!("{}", set.render(&findings));
    println!("{}", set.render(&set.judge(Strictness::File)));
    println!("{} rules", set.rules.len());
    for d in set.decisions() {
        println!("{}: {} rows {} trees depth {}", d.matrix.op, d.matrix.rows.len(), d.trees.len(), d.depth());
    }
}
