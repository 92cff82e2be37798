import type {
  AccessHolder,
  AccessOptions,
  AccessPlace,
  AccessReport,
  AccessRequest,
  AccessTarget,
  ApplyRequest,
  ConfiguredProvider,
  NotCounted,
  PlannedRequest,
  RightsReport,
} from "../../framework";
import { compareText } from "../../language";
import { groupBy, isWhollyKnown, type ValueObject } from "../../schema";
import { SENSITIVE, type SensitiveTexts } from "../../text";
import type { PlanDescriptions, RehearsedStep } from "../results/plan";
import { BRIEF_READS, type StackRun } from "../stack-run/stack-run";
import { isChange, type Step } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";

/** Returns the reports that the options of the run request in addition to the plan. */
export async function describePlan(plan: PlanGraph): Promise<PlanDescriptions> {
  const { run } = plan;
  const { access: wanted, rights: hasRights, requests: hasRequests } = run.context;
  const describer = new Describer(plan);
  const described = async <T>(isAsked: unknown, name: string, describe: () => Promise<T>) => {
    const found = isAsked ? await run.guard(name, describe) : undefined;
    return found === "done" || found === "failed" ? undefined : found;
  };
  const access =
    wanted === "brief"
      ? await describer.briefAccess()
      : await described(wanted, "access", () => describer.access(wanted === "whole"));
  const rights = await described(hasRights, "rights", () => describer.rights());
  // Requests come last. The rehearsal changes the collections in memory as the apply would, so reports after it would see wrong
  // values.
  const requests = await described(hasRequests, "requests", () => describer.rehearse());
  return { ...(access && { access }), ...(rights && { rights }), ...(requests && { requests }) };
}

class Describer {
  readonly #run: StackRun;

  constructor(private readonly plan: PlanGraph) {
    this.#run = plan.run;
  }

  get #changes(): Step[] {
    return this.plan.steps.all.filter(
      ({ change }) => change.mode === "managed" && change.sameAs === undefined,
    );
  }

  /**
   * Returns a report of the access that the plan gives and takes away, as the providers describe it. The report does not count
   * objects without a plan.
   */
  async access(isWhole: boolean): Promise<AccessReport> {
    const isAsked = (step: Step) => isChange(step) || (isWhole && step.change.action === "no-op");
    const report = await accessBy(this.#run, this.#requests(isAsked), { isWhole });
    return { ...report, notCounted: [...report.notCounted, ...this.#notPlanned()] };
  }

  /**
   * Returns an access report that is made with few requests; undefined if the plan has no changes. If the report can't
   * be made, the result lists all changes as not counted.
   */
  async briefAccess(): Promise<AccessReport | undefined> {
    const requests = this.#requests(isChange);
    if (requests.length === 0) return undefined;
    try {
      const report = await accessBy(this.#run, requests, { maxReads: BRIEF_READS });
      return { ...report, notCounted: [...report.notCounted, ...this.#notPlanned()] };
    } catch (problem) {
      this.#run.context.onFault?.(problem);
      const notCounted = requests.map(({ request: { address } }) => ({ what: address, why: FAILED }));
      return { places: [], notCounted };
    }
  }

  /** Returns the rights that the steps need, as the providers describe them. */
  async rights(): Promise<RightsReport> {
    const reports = await askByService(this.#run, this.#requests(isChange), (provider, changes) =>
      provider.describeRights?.(changes),
    );
    return {
      rights: reports.flatMap(({ rights }) => rights),
      notKnown: [...reports.flatMap(({ notKnown }) => notKnown), ...this.#notPlanned()],
    };
  }

  #requests(isAsked: (step: Step) => boolean): ChangeOfProvider[] {
    return this.#changes.filter(isAsked).map((step) => {
      const { prior, planned, config, provider } = step;
      const { type, address, replaced } = step.change;
      return { provider, request: { type, address, prior, planned, config, live: replaced?.live } };
    });
  }

  /** Returns the objects that could not be planned. */
  #notPlanned(): NotCounted[] {
    const { unchecked, blocked } = this.plan;
    const { resources } = this.#run.context.configuration;
    return [...new Set([...unchecked, ...[...blocked].filter((id) => resources.has(id))])]
      .sort()
      .map((what) => ({ what, why: "it could not be planned" }));
  }

  /** Returns the requests that an apply would send for each step, without sensitive values. Changes nothing on the service. */
  rehearse(): Promise<readonly RehearsedStep[]> {
    const sorted = this.#changes
      .filter(isChange)
      .sort((one, other) => compareText(one.change.address, other.change.address));
    return Promise.all(sorted.map((step) => this.#rehearseStep(step)));
  }

  async #rehearseStep(step: Step): Promise<RehearsedStep> {
    const { address, deposed } = step.change;
    const named = { address, ...(deposed !== undefined && { deposed }) };
    const { rehearse: ask } = this.#run.configured(step.provider);
    if (ask === undefined) return { ...named, requests: [], why: "its provider does not report them" };
    const { sensitive } = this.#run.context;
    const requests: PlannedRequest[] = [];
    for (const request of requestsOf(step)) {
      if (request.config !== undefined && !isWhollyKnown(request.config))
        return { ...named, requests, why: "it depends on values that are known only after apply" };
      const answer = await ask(request);
      requests.push(...answer.requests.map((one) => masked(one, sensitive, step.sensitive.length > 0)));
      const problem = answer.diagnostics.find(({ severity }) => severity === "error");
      if (problem !== undefined) return { ...named, requests, why: problem.summary };
    }
    return { ...named, requests };
  }
}

const FAILED = "its provider failed to describe it";

/** A change, with the key of its provider configuration. */
interface ChangeOfProvider {
  readonly provider: string;
  readonly request: AccessRequest;
}

/**
 * Returns a report of the people who gain or lose access through changes. If a provider can't describe its changes, the report
 * does not count these changes.
 */
export async function accessBy(
  run: StackRun,
  changes: readonly ChangeOfProvider[],
  options: AccessOptions,
): Promise<AccessReport> {
  const isPartial = run.context.isOneOfSeveral;
  const reports = await askByService(run, changes, async (provider, all): Promise<AccessReport> => {
    const notCounted = all.map(({ address }) => ({ what: address, why: NO_REPORT }));
    const report = await provider.describeAccess?.(all, { ...options, isPartial });
    return report === undefined ? { places: [], notCounted } : onService(report, provider.service);
  });
  const report = {
    places: reports.flatMap(({ places }) => places),
    touched: reports.flatMap(({ touched = [] }) => touched),
    notCounted: reports.flatMap(({ notCounted }) => notCounted),
  };
  return redactAccess(report, run.context.sensitive);
}

/** Returns a report in which each place has the address of the service. */
const onService = (report: AccessReport, service: string | undefined): AccessReport =>
  service === undefined
    ? report
    : {
        ...report,
        places: report.places.map((place) => ({ ...place, service })),
        ...(report.touched && { touched: report.touched.map((one) => ({ ...one, service })) }),
      };

const NO_REPORT = "its provider does not report access";

/** Asks one provider for each service about all changes on that service. */
async function askByService<Report>(
  run: StackRun,
  changes: readonly ChangeOfProvider[],
  ask: (provider: ConfiguredProvider, changes: readonly AccessRequest[]) => Promise<Report> | undefined,
): Promise<Report[]> {
  // One provider describes all changes on a service, even if several provider configurations lead to it. One change can admit a
  // person, and a change of another configuration can give this person a right.
  const byService = groupBy(changes, ({ provider }) => serviceOf(run, provider));
  const reports = await Promise.all(
    [...byService.values()].map((all) =>
      ask(
        run.configured(all[0]!.provider),
        all.map(({ request }) => request),
      ),
    ),
  );
  return reports.filter((report) => report !== undefined);
}

/** Returns the service of a provider configuration, or the configuration's key while the service is not known. */
function serviceOf(run: StackRun, key: string): string {
  const { service } = run.configured(key);
  return service === undefined ? key : `${run.source(key)} ${service}`;
}

/**
 * Returns the requests to a provider for a step, as an apply sends them. A replacement is a delete and a create.
 */
function requestsOf(step: Step): ApplyRequest[] {
  const { type, address, action } = step.change;
  const on = { type, address };
  const destroy = { ...on, prior: step.prior, planned: undefined, config: undefined };
  const create = { ...on, prior: undefined, planned: step.planned, config: step.config };
  switch (action) {
    case "create":
      return [create];
    case "update":
      return [{ ...on, prior: step.prior, planned: step.planned, config: step.config }];
    case "delete":
      return [destroy];
    case "create-then-delete":
      return [create, destroy];
    default:
      return [destroy, create];
  }
}

/**
 * Returns a request without sensitive values. Steward finds sensitive values by their text, which is impossible for
 * booleans. Steward therefore hides all booleans of an object with sensitive attributes.
 */
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

/**
 * Returns an access report without sensitive values. The name of a container, an object or a person can be the value of a
 * sensitive variable.
 */
function redactAccess(report: AccessReport, sensitive: SensitiveTexts | undefined): AccessReport {
  if (sensitive === undefined) return report;
  const redact = (text: string): string => sensitive.redactId(text);
  const target = <T extends AccessTarget>(one: T): T => ({ ...one, name: redact(one.name) });
  const holder = (one: AccessHolder): AccessHolder => ({
    ...target(one),
    ...(one.note !== undefined && { note: redact(one.note) }),
  });
  const side = (one: string | number): string | number => (typeof one === "string" ? redact(one) : one);
  const reason = ({ what, why }: NotCounted): NotCounted => ({ what: redact(what), why: redact(why) });
  const place = (one: AccessPlace): AccessPlace => ({
    ...one,
    container: target(one.container),
    ...(one.target && { target: target(one.target) }),
    abilities: one.abilities.map(({ name, before, after, gains, loses }) => ({
      name,
      before: before.map(holder),
      after: after.map(holder),
      gains: gains.map(holder),
      loses: loses.map(holder),
    })),
    rules: one.rules.map(({ name, before, after }) => ({
      name: redact(name),
      before: side(before),
      after: side(after),
    })),
    notCounted: one.notCounted.map(reason),
  });
  return {
    ...report,
    places: report.places.map(place),
    notCounted: report.notCounted.map(reason),
    ...(report.touched && {
      touched: report.touched.map((one) => ({
        ...target(one),
        ...(one.dependsOn && { dependsOn: one.dependsOn.map(target) }),
      })),
    }),
  };
}
