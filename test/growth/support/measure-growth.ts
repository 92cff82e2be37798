import { fork } from "node:child_process";
import { getPriority, setPriority } from "node:os";
import path from "node:path";
import type { FixtureInput } from "../../../src/service";
import { SCENES } from "../operations";
import type { Counted, Planted, Question } from "./results";
import { groupOf } from "./run-scene";
import { sizesOf } from "./sizes";
import { fixtureOf } from "./world";

interface Given extends Omit<Question, "scene"> {
  /** The scenes to measure; all scenes if omitted. */
  readonly scenes?: readonly string[];
  readonly planted?: Planted;
}

/** Returns the fixture of the service that all scenes of this size need. */
export const fixtureFor = (size: number): FixtureInput =>
  fixtureOf(
    new Map(
      SCENES.flatMap((scene) =>
        sizesOf(scene, size).map((count) => [groupOf(scene, count), scene.projects(count)]),
      ),
    ),
  );

/** The number of processes: one for each core of a small machine. It does not matter which process counts a scene. */
const PROCESSES = 2;
/**
 * The priority of the processes. The priority is so low that the processes do not disturb time measurements, but high
 * enough that they finish on a busy machine.
 */
const LOW_PRIORITY = 5;

/** Counts the work of scenes. The sources run in separate processes, so that no other work is counted. */
export async function countGrowth({ place, size, planted, scenes = NAMES }: Given): Promise<Counted[]> {
  const left = [...scenes];
  const next = (): Question | undefined => {
    const scene = left.shift();
    return scene === undefined ? undefined : { place, size, scene };
  };
  const processes = Array.from({ length: Math.min(PROCESSES, scenes.length) }, () => count(next, planted));
  const all = (await Promise.all(processes)).flat();
  return scenes.flatMap((scene) => all.filter((counted) => counted.scene === scene));
}

const NAMES = SCENES.map(({ name }) => name);

/** Counts scenes in one process until no scene is left. */
function count(next: () => Question | undefined, planted: Planted | undefined): Promise<Counted[]> {
  const child = fork(path.join(__dirname, "count.ts"), {
    execArgv: ["--require", path.join(__dirname, "register.js")],
    env: { ...process.env, STEWARD_GROWTH: JSON.stringify({ planted }) },
  });
  // Counts do not depend on time. The priority is low, so that the processes do not disturb time measurements that run
  // at the same time.
  setPriority(child.pid!, Math.max(LOW_PRIORITY, getPriority()));
  const ask = (): void => {
    const question = next();
    if (question === undefined) child.disconnect();
    else child.send(question);
  };
  const all: Counted[] = [];
  child.on("message", (counted: Counted[]) => {
    all.push(...counted);
    ask();
  });
  ask();
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve(all) : reject(new Error(`Counting ended with ${code}.`)),
    );
  });
}
