//! `-checkdiscard`: what a user says must not be left of a program.

use planish_jvm_analysis::reach::cause::Root;
use planish_jvm_analysis::roots::{matches_class, matching};
use planish_jvm_model::program::{Class, Program};
use planish_keep::{Configuration, DiscardRule};

/// What is left of a program that rules say must not be: a line for each class or member, by rule and name. O(rules x members).
pub fn undiscarded(before: &Program<'_>, after: &Program<'_>, rules: &Configuration) -> Vec<String> {
    let mut order: Vec<Class> = before.classes.ids().collect();
    order.sort_by_key(|&class| before.name(class));
    let mut found = Vec::new();
    for rule in &rules.discard {
        for &class in &order {
            if let Some(left) = after.class_named(before.name(class))
                && matches_class(before, &rule.classes, class, &mut Vec::new())
            {
                found.extend(left_of(before, class, (after, left), rule));
            }
        }
    }
    found
}

/// What is left of a class that a rule names.
fn left_of(
    before: &Program<'_>,
    class: Class,
    (after, left): (&Program<'_>, Class),
    rule: &DiscardRule,
) -> Vec<String> {
    let say = |what: String| format!("{}: -checkdiscard: {what} is still there", rule.place.0);
    if rule.classes.members.is_empty() {
        return vec![say(before.show_class(class))];
    }
    let members =
        matching(before, class, &rule.classes.members, &[]).into_iter().filter_map(|root| match root {
            Root::Method(method) => {
                let info = &before.methods[method];
                let selector = after.selector(before.text(info.selector))?;
                (info.class == class && after.declared_method(left, selector).is_some())
                    .then(|| before.show_method(method))
            }
            Root::Field(field) => {
                let info = &before.fields[field];
                let text = before.text(info.selector);
                let has = |&field: &_| after.text(after.fields[field].selector) == text;
                (info.class == class && after.classes[left].fields.iter().any(has))
                    .then(|| before.show_field(field))
            }
        });
    members.map(say).collect()
}
