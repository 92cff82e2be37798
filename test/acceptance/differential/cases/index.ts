import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { GO_PROVIDER } from "../../../provider/support/go-states";
import type { CaseStep, DifferentialCase } from "../case";
import type { StateFile } from "../support/normal-state";
import { cdktf } from "./cdktf";
import { remoteState } from "./remote-state";
import { samples } from "./samples";

type ToldStep = Omit<CaseStep, "byHand" | "stateByHand"> & {
  readonly byHand?: readonly (readonly [method: string, path: string, body?: object])[];
  /**
   * JavaScript code that changes the variable `state`. The code can call `named(NAME)`, which returns a resource of the
   * state.
   */
  readonly stateByHand?: string;
};

function stepOf({ byHand, stateByHand, ...step }: ToldStep): CaseStep {
  return {
    ...step,
    ...(byHand && {
      byHand: async (http) => {
        for (const request of byHand) await http(...request);
      },
    }),
    ...(stateByHand && {
      stateByHand: (state) => {
        const named = (name: string) => state.resources.find((one) => one.name === name);
        changeOf(stateByHand)(state, named, GO_PROVIDER);
      },
    }),
  };
}

type Change = (state: StateFile, named: (name: string) => unknown, provider: string) => void;
const changeOf = (text: string) => new Function("state", "named", "GO_PROVIDER", text) as Change;

/** Reads the cases of one YAML file. */
const told = (feature: string): DifferentialCase[] =>
  (parse(readFileSync(path.join(__dirname, `${feature}.yaml`), "utf8")) as { steps: ToldStep[] }[]).map(
    (one) => ({ ...one, steps: one.steps.map(stepOf) }) as unknown as DifferentialCase,
  );

/** All cases. Each feature has one file in `cases/`. `../README.md` explains how to add a case. */
export const CASES: readonly DifferentialCase[] = [
  ...samples,
  ...["objects", "repetition", "expressions"].flatMap(told),
  ...cdktf,
  ...["lifecycle", "modes", "adjustments", "checks"].flatMap(told),
  ...remoteState,
  ...told("states"),
];
