//! What PyPy prints of a descriptor: letters for kinds, numbers for effects.

use planish_ops::Type;
use planish_ops::world::CallEffect;

/// How the descriptor ends of a call that makes the frame that is its last argument visible to the interpreter.
pub(crate) const FORCES_FRAME: &str = " OS=121>";

/// The type and signedness that a flag letter says.
pub(super) fn kind(flag: &str) -> Option<(Type, bool)> {
    match flag {
        "S" => Some((Type::I64, true)),
        "U" => Some((Type::I64, false)),
        "P" => Some((Type::Ref, false)),
        "F" => Some((Type::F64, false)),
        _ => None,
    }
}

/// What `<Calli 8 ri EF=2 OS=1>` says of its callee. `EF` is PyPy's order of effects, from elidable
/// without exceptions (0) to anything (7). `OS=121` writes an interpreter's frame back that compiled code keeps apart;
/// PyPy declares for it that it reads and writes nothing, since no trace looks at such a frame before it is written back.
pub(crate) fn callee(text: &str) -> CallEffect {
    if text.contains(FORCES_FRAME) {
        return CallEffect { elidable: false, ..CallEffect::pure() };
    }
    let number = text
        .strip_prefix("<Call")
        .and_then(|rest| rest.split_once(" EF="))
        .and_then(|(_, rest)| rest.split([' ', '>']).next())
        .and_then(|number| number.parse::<u8>().ok());
    match number {
        Some(0) => CallEffect::pure(),
        Some(1) => CallEffect { elidable: false, loop_invariant: true, ..CallEffect::pure() },
        Some(ef @ (3 | 4)) => {
            CallEffect { raises: true, raises_lack_of_memory: ef == 3, ..CallEffect::pure() }
        }
        // Whether it makes quasi-immutable fields change is not printed.
        Some(2) => CallEffect { raises: false, forces_virtuals: false, ..CallEffect::unknown() },
        Some(5) => CallEffect { forces_virtuals: false, ..CallEffect::unknown() },
        _ => CallEffect::unknown(),
    }
}

/// Whether a callee looks a key up in a dictionary (PyPy's `OS_DICT_LOOKUP`) and never comes back to the interpreter: then it
/// writes no entries.
pub(crate) fn looks_up(text: &str) -> bool {
    let signature = text.strip_prefix("<Calli 8 r").and_then(|rest| rest.split_once("ii EF="));
    matches!(signature, Some(("r" | "i", "2 OS=4>" | "5 OS=4>")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_without_printed_sets_may_touch_anything() {
        let effect = callee("<Calli 8 ri EF=5>");
        assert!(effect.raises && effect.invalidates && effect.reads.is_none() && effect.writes.is_none());
        assert!(!effect.forces_virtuals);
        assert_eq!(callee("<Calli 8 ri EF=0 OS=14>"), CallEffect::pure());
        assert_eq!(callee("residual"), CallEffect::unknown());
    }

    #[test]
    fn a_look_up_that_may_come_back_to_the_interpreter_is_a_call_like_others() {
        assert!(looks_up("<Calli 8 rrii EF=5 OS=4>") && looks_up("<Calli 8 riii EF=2 OS=4>"));
        for other in ["<Calli 8 rrii EF=7 OS=4>", "<Calli 8 rrii EF=5 OS=40>", "<Calli 8 rri EF=5 OS=4>"] {
            assert!(!looks_up(other), "{other}");
        }
    }
}
