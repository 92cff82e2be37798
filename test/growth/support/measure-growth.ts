import { fork } from "node:child_process";
import path from "node:path";
import type { FixtureInput } from "../../../src/service";
import { SCENES } from "../operations";
import type { Counted, Planted, Question } from "./results";
import { groupOf } from "./run-scene";
import { sizesOf } from "./sizes";
import { fixtureOf } from "./world";

interface Given extends Pick<Question, "place" | "size"> {
  /** All where none is named. */
  readonly scenes?: readonly string[];
  readonly planted?: Planted;
}

/** What the service has to hold for scenes of this size. */
export const fixtureFor = (size: number): FixtureInput =>
  fixtureOf(
    new Map(
      SCENES.flatMap((scene) =>
        sizesOf(scene, size).map((count) => [groupOf(scene, count), scene.projects(count)]),
      ),
    ),
  );

/** Counts the work of scenes in the sources, in a process of its own, in which no other work is counted. */
export function countGrowth(given: Given): Promise<Counted[]> {
  const { place, size, planted, scenes = SCENES.map(({ name }) => name) } = given;
  const child = fork(path.join(__dirname, "count.ts"), {
    execArgv: ["--require", path.join(__dirname, "register.js")],
    env: { ...process.env, STEWARD_GROWTH: JSON.stringify({ planted }) },
  });
  child.send({ place, size, scenes } satisfies Question);
  const all: Counted[] = [];
  child.on("message", (counted: Counted[]) => all.push(...counted));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve(all) : reject(new Error(`Counting ended with ${code}.`)),
    );
  });
}
