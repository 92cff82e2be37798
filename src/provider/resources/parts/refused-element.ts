import { ApiError } from "../../../api";
import type { DiagnosticPath } from "../../../diagnostics";
import { SomeWritesFailed } from "../../../framework";
import { type AttributeType, elementStep } from "../../../schema";

/** The declared elements of a set in the order of the request; undefined for an element that is not declared. */
export interface SentElements {
  readonly type: AttributeType;
  readonly elements: readonly unknown[];
}

/**
 * Waits for a write of sets. The service names a refused element by its index in the request (`deploy_access_levels[0] …`),
 * which users can't relate to their code: the error names the declared element instead.
 *
 * @throws SomeWritesFailed for that element; any other error unchanged
 */
export async function withElementErrors<T>(
  sent: Readonly<Record<string, SentElements>>,
  write: Promise<T>,
): Promise<T> {
  try {
    return await write;
  } catch (problem) {
    const attribute = problem instanceof ApiError ? refusedElement(problem.serviceMessage, sent) : undefined;
    throw attribute === undefined ? problem : new SomeWritesFailed([{ attribute, problem }], false);
  }
}

function refusedElement(
  message: string | undefined,
  sent: Readonly<Record<string, SentElements>>,
): DiagnosticPath | undefined {
  const [, name = "", index] = /([a-z_]+)\[(\d+)\]/.exec(message ?? "") ?? [];
  const element = sent[name]?.elements[Number(index)];
  return element === undefined ? undefined : [name, elementStep(sent[name]!.type, element, Number(index))];
}
