import type { ApplyRequest, PlannedRequest } from "../../framework";
import { compareText } from "../../language";
import { isWhollyKnown, type ValueObject } from "../../schema";
import { SENSITIVE, type SensitiveTexts } from "../../text";
import type { RehearsedStep } from "../model/plan";
import type { StackRun } from "../run/stack-run";
import { isChange, plannedOf, priorOf, type Step } from "../steps/steps";

/** The requests that an apply would send for each step, without sensitive values. Sends no changes. */
export function rehearse(run: StackRun, steps: readonly Step[]): Promise<readonly RehearsedStep[]> {
  const changes = steps.filter(
    (step) => step.change.mode === "managed" && isChange(step) && step.change.sameAs === undefined,
  );
  const sorted = changes.sort((one, other) => compareText(one.change.address, other.change.address));
  return Promise.all(sorted.map((step) => rehearseStep(run, step)));
}

async function rehearseStep(run: StackRun, step: Step): Promise<RehearsedStep> {
  const { address, deposed } = step.change;
  const named = { address, ...(deposed !== undefined && { deposed }) };
  const { rehearse: ask } = run.configured(step.provider);
  if (ask === undefined) return { ...named, requests: [], why: "its provider does not tell" };
  const requests: PlannedRequest[] = [];
  for (const request of requestsOf(step)) {
    if (request.config !== undefined && !isWhollyKnown(request.config))
      return { ...named, requests, why: "it depends on values that are known only after apply" };
    const answer = await ask(request);
    requests.push(
      ...answer.requests.map((one) => masked(one, run.context.sensitive, step.sensitive.length > 0)),
    );
    const problem = answer.diagnostics.find(({ severity }) => severity === "error");
    if (problem !== undefined) return { ...named, requests, why: problem.summary };
  }
  return { ...named, requests };
}

/** What an apply asks a provider for a step: a replacement is a delete and a create. */
function requestsOf(step: Step): ApplyRequest[] {
  const { type, address, action } = step.change;
  const on = { type, address };
  const destroy = { ...on, prior: priorOf(step), planned: undefined, config: undefined };
  const create = { ...on, prior: undefined, planned: plannedOf(step), config: step.config };
  switch (action) {
    case "create":
      return [create];
    case "update":
      return [{ ...on, prior: priorOf(step), planned: plannedOf(step), config: step.config }];
    case "delete":
      return [destroy];
    case "create-then-delete":
      return [create, destroy];
    default:
      return [destroy, create];
  }
}

/** A sensitive boolean is no text that could be found: with sensitive attributes no boolean is shown. */
function masked(
  { method, path, body }: PlannedRequest,
  sensitive: SensitiveTexts | undefined,
  hasSensitive: boolean,
): PlannedRequest {
  const mask = (value: unknown): unknown => {
    if (typeof value === "boolean") return hasSensitive ? SENSITIVE : value;
    if (typeof value === "string") return sensitive?.redactId(value) ?? value;
    if (typeof value === "number") {
      const shown = sensitive?.redactId(String(value)) ?? String(value);
      return shown === String(value) ? value : SENSITIVE;
    }
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value as ValueObject).map(([name, one]) => [name, mask(one)]));
  };
  return {
    method,
    path: sensitive?.redactPath(path) ?? path,
    ...(body !== undefined && { body: mask(body) }),
  };
}
