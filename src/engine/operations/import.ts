import { hasErrors } from "../../diagnostics";
import { stackOf } from "../source/choose-stack";
import type { StackSource } from "../source/load-stacks";
import { overStacks, type RunEvent, type RunResult, type StackResult } from "./collect";
import type { EngineOptions } from "./options";
import type { Run } from "./run";

/** What an import did in the stack that declares the address. */
export interface ImportedStack extends StackResult {
  /** The canonical id of the object that is in the state now; nothing where it was not taken over. */
  readonly id: string | undefined;
}

/** Which live object is taken over, and where. */
export interface ImportRunOptions extends EngineOptions {
  /** The address of a declared instance that has no object yet. */
  readonly address: string;
  /** The object's id, as its resource is imported by it. */
  readonly id: string;
}

/** Takes a live object into the state of the one stack that declares its address. Changes nothing on the service. */
export const importObject = (
  source: StackSource,
  options: ImportRunOptions,
): Run<RunEvent, RunResult<ImportedStack>> =>
  overStacks<Pick<ImportedStack, "id">>(source, options, {
    locksFor: "import",
    compares: true,
    choose: stackOf(options.address),
    empty: { id: undefined },
    work: async (stack) => {
      await stack.recover({ wholly: true });
      const { id, diagnostics } = await stack.import(options.address, options.id);
      return { outcome: hasErrors(diagnostics) ? "failed" : "found", diagnostics, details: { id } };
    },
  });
