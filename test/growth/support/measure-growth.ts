import { fork } from "node:child_process";
import path from "node:path";
import type { FixtureInput } from "../../../src/service";
import { SCENES } from "../operations";
import type { Counted, Planted, Question, Timed } from "./results";
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

/** Counts the work of scenes in the sources. */
export const countGrowth = (given: Given): Promise<Counted[]> => ask("count.ts", true, given);

/** Measures the processor time of scenes. */
export const timeGrowth = (given: Given): Promise<Timed[]> => ask("time.ts", false, given);

/** Starts a process, in which no other work disturbs, and collects what it sends. */
function ask<Answer>(program: string, counts: boolean, given: Given): Promise<Answer[]> {
  const { place, size, planted, scenes = SCENES.map(({ name }) => name) } = given;
  const child = fork(path.join(__dirname, program), {
    execArgv: ["--expose-gc", "--require", path.join(__dirname, "register.js")],
    env: { ...process.env, STEWARD_GROWTH: JSON.stringify({ counts, planted }) },
  });
  // What the compiler wrote has no fault in it.
  const sources = counts || planted !== undefined ? "src" : "dist";
  child.send({ place, size, scenes, sources } satisfies Question);
  const all: Answer[] = [];
  child.on("message", (answers: Answer[]) => all.push(...answers));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve(all) : reject(new Error(`${program} ended with ${code}.`)),
    );
  });
}
