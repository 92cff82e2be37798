// Prints the names of the stacks that are this job's share: node pick-stacks.js cdktf.out
// Of CI_NODE_TOTAL jobs this is number CI_NODE_INDEX, counted from 1. Stacks that depend on each other stay together.
const { readFileSync } = require("node:fs");
const path = require("node:path");

const [folder = "cdktf.out"] = process.argv.slice(2);
const index = Number(process.env.CI_NODE_INDEX ?? 1);
const total = Number(process.env.CI_NODE_TOTAL ?? 1);
const { stacks } = JSON.parse(readFileSync(path.join(folder, "manifest.json"), "utf8"));

const all = Object.values(stacks);
const byPath = new Map(all.map((stack) => [stack.constructPath, stack]));
/** By stack: the first of those that it hangs together with. */
const leader = new Map(all.map((stack) => [stack, stack]));
const leaderOf = (stack) => (leader.get(stack) === stack ? stack : leaderOf(leader.get(stack)));
for (const stack of all)
  for (const other of stack.dependencies) leader.set(leaderOf(stack), leaderOf(byPath.get(other)));

const groups = new Map();
for (const stack of all) groups.set(leaderOf(stack), [...(groups.get(leaderOf(stack)) ?? []), stack.name]);

// The largest first, each to the job that has least to do.
const shares = Array.from({ length: total }, () => []);
for (const names of [...groups.values()].sort(
  (one, other) => other.length - one.length || (one[0] < other[0] ? -1 : 1),
))
  shares.reduce((least, share) => (share.length < least.length ? share : least)).push(...names);

console.log((shares[index - 1] ?? []).join(" "));
