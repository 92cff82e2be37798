import { hasErrors } from "../../diagnostics";
import { declaringStack } from "../source/choose-stack";
import type { StackSource } from "../source/load-stacks";
import { overStacks, type RunEvent, type RunResult, type StackResult } from "./collect";
import type { EngineOptions } from "./options";
import type { Run } from "./run";

/** The result of an import in the stack that declares the address. */
export interface ImportedStack extends StackResult {
  /** The canonical id of the imported object; undefined if nothing was imported. */
  readonly id: string | undefined;
}

/** The object to import, and its address. */
export interface ImportRunOptions extends EngineOptions {
  /** The address of a declared instance that has no object yet. */
  readonly address: string;
  /** The id that the resource's import takes. */
  readonly id: string;
}

/**
 * Imports a live object into the state of the one stack that declares its address. Changes nothing on the
 * service.
 */
export const importObject = (
  source: StackSource,
  options: ImportRunOptions,
): Run<RunEvent, RunResult<ImportedStack>> =>
  overStacks<Pick<ImportedStack, "id">>(source, options, {
    locksFor: "import",
    compares: true,
    choose: declaringStack(options.address),
    empty: { id: undefined },
    work: async (stack) => {
      await stack.recover({ strict: true });
      const { id, diagnostics } = await stack.import(options.address, options.id);
      return { outcome: hasErrors(diagnostics) ? "failed" : "found", diagnostics, details: { id } };
    },
  });
