//! Strongly connected components of a part of a graph (Tarjan, "Depth-First Search and Linear Graph
//! Algorithms", 1972), without recursion and with tables that are used again for the next part.

/// Finds components. The tables have a place for every vertex of the graph.
pub struct Components {
    /// Which part a vertex is a member of; parts are numbered from 1.
    part: Vec<u32>,
    parts: u32,
    order: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
}

impl Components {
    /// Tables for a graph of so many vertices.
    pub fn new(count: usize) -> Self {
        let mut tables = Components {
            part: Vec::new(),
            parts: 0,
            order: Vec::new(),
            low: Vec::new(),
            on_stack: Vec::new(),
        };
        tables.grow(count);
        tables
    }

    fn grow(&mut self, count: usize) {
        if self.part.len() < count {
            self.part.resize(count, 0);
            self.order.resize(count, 0);
            self.low.resize(count, 0);
            self.on_stack.resize(count, false);
        }
    }

    /// The components of the graph that some vertices make among themselves, those first that others
    /// lead to. The members of each are in the order given. Linear.
    pub fn of<'a>(&mut self, members: &[u32], succs: impl Fn(u32) -> &'a [u32]) -> Vec<Vec<u32>> {
        self.grow(members.iter().map(|&member| member as usize + 1).max().unwrap_or(0));
        self.parts += 1;
        let part = self.parts;
        for (&member, position) in members.iter().zip(0..) {
            self.part[member as usize] = part;
            // Not visited: no clock reaches this.
            self.order[member as usize] = u32::MAX;
            self.low[member as usize] = position;
        }
        let rank: Vec<(u32, u32)> = members.iter().map(|&m| (m, self.low[m as usize])).collect();
        let (mut stack, mut components, mut clock) = (Vec::new(), Vec::new(), 0u32);
        let mut frames: Vec<(u32, usize)> = Vec::new();
        for &start in members {
            if self.order[start as usize] != u32::MAX {
                continue;
            }
            frames.push((start, 0));
            while let Some(&mut (at, ref mut edge)) = frames.last_mut() {
                let vertex = at as usize;
                if *edge == 0 {
                    (self.order[vertex], self.low[vertex], self.on_stack[vertex]) = (clock, clock, true);
                    clock += 1;
                    stack.push(at);
                }
                let next = succs(at).get(*edge).copied();
                *edge += 1;
                if let Some(succ) = next {
                    let to = succ as usize;
                    if self.part.get(to).is_none_or(|&of| of != part) {
                        continue;
                    }
                    if self.order[to] == u32::MAX {
                        frames.push((succ, 0));
                    } else if self.on_stack[to] {
                        self.low[vertex] = self.low[vertex].min(self.order[to]);
                    }
                    continue;
                }
                frames.pop();
                if let Some(&(parent, _)) = frames.last() {
                    self.low[parent as usize] = self.low[parent as usize].min(self.low[vertex]);
                }
                if self.low[vertex] == self.order[vertex] {
                    let bottom = stack.iter().rposition(|&member| member == at).unwrap_or(0);
                    let component = stack.split_off(bottom);
                    component.iter().for_each(|&member| self.on_stack[member as usize] = false);
                    components.push(component);
                }
            }
        }
        // From here on the clock is not needed: the table holds positions.
        rank.iter().for_each(|&(member, position)| self.order[member as usize] = position);
        for component in &mut components {
            component.sort_unstable_by_key(|&member| self.order[member as usize]);
        }
        components
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_in_reverse_topological_order() {
        let graph: [&[u32]; 6] = [&[1], &[2, 4], &[1, 3], &[3], &[5], &[]];
        let mut finder = Components::new(6);
        let found = finder.of(&[0, 1, 2, 3, 4, 5], |v| graph[v as usize]);
        assert_eq!(found, [vec![3], vec![5], vec![4], vec![1, 2], vec![0]]);
        let found = finder.of(&[2, 1], |v| graph[v as usize]);
        assert_eq!(found, [vec![2, 1]], "only the members count, in the order given");
        let found = finder.of(&[2, 0], |v| graph[v as usize]);
        assert_eq!(found.len(), 2);
    }
}
