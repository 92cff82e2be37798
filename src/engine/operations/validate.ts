import { hasErrors } from "../../diagnostics";
import type { StackSource } from "../source/load-stacks";
import { overStacks, type RunEvent, type RunResult, type StackResult } from "./collect";
import type { EngineOptions } from "./options";
import type { Run } from "./run";

/** Validates the stacks against the providers' schemas. Sends no request and reads no state. */
export const validate = (
  source: StackSource,
  options: EngineOptions,
): Run<RunEvent, RunResult<StackResult>> =>
  overStacks<object>(source, options, {
    locksFor: undefined,
    empty: {},
    work: async (stack) => {
      const diagnostics = stack.validate();
      return { outcome: hasErrors(diagnostics) ? "failed" : "nothing", diagnostics, details: {} };
    },
  });
