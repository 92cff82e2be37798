import { mergeDiagnostics } from "../../diagnostics";
import { differences, isDeclared } from "../../schema";
import type { State } from "../../state";
import type { DriftedObject, DriftReport, StoredObject, UncheckedObject } from "../model/drift";
import type { RunContext } from "../run/context";
import { interruptedRead } from "../run/interrupted";
import { type StackRun, withRun } from "../run/stack-run";
import { withoutKey } from "../run/targets";
import { observedChange, storedObject } from "../steps/change-metadata";
import { type Refreshed, Refresher } from "../steps/refresh";
import { accessOfDrift, type DriftAccess } from "./drift-access";
import { type FoundDrift, withPaths } from "./found-drift";
import { selectStateObjects } from "./state-objects";

/**
 * The provider configuration of a context without declarations.
 *
 * @throws Error if there is not exactly one
 */
export function singleProvider({ configuration }: RunContext): string {
  const [key, other] = [...configuration.providers.keys()];
  if (key === undefined || other !== undefined)
    throw new Error("The drift of a state is detected by exactly one provider.");
  return key;
}

/**
 * Finds changes made outside of the configuration in objects of a state that Terraform or OpenTofu manages. The state
 * does not tell which attributes are declared: an optional-computed attribute counts if the provider noted it as
 * declared, and is reported as not known to be declared without such a note.
 *
 * @param context its configuration has exactly one provider and no declarations
 */
export function detectStateDrift(
  context: RunContext,
  state: State,
  { accessOf }: DriftAccess = {},
): Promise<DriftReport> {
  return withRun(context, async (run) => {
    const key = singleProvider(context);
    const isConnected = run.visitProvider(key, context.configuration.providers.get(key), true) === "done";
    const found = selectStateObjects(state, run, key);
    run.report(found.diagnostics);
    const drifted: FoundDrift[] = [];
    const checked: StoredObject[] = [];
    const unchecked: UncheckedObject[] = found.unchecked.map((object) => ({
      object: storedObject(run, object),
      diagnostics: found.diagnostics.filter(({ address }) => address === object.address),
    }));
    const check = async (refreshed: Refreshed): Promise<void> => {
      // An action is about a state of steward, which this one is not.
      const diagnostics = refreshed.diagnostics.map(({ action: _, ...text }) => text);
      const object = storedObject(run, refreshed.object);
      if (run.report(diagnostics) === "failed") return void unchecked.push({ object, diagnostics });
      checked.push(object);
      const one = driftOf(run, refreshed);
      if (one !== undefined) drifted.push({ provider: key, drifted: one, refreshed });
    };
    if (isConnected) {
      const refresher = new Refresher(run, found.objects);
      await run.guard(key, async () => refresher.start(key));
      for (const { address } of found.objects)
        await run.guard(address, async () => check((await refresher.result(address))!));
    }
    if (context.stop?.aborted) run.report([interruptedRead()]);
    const all = await withPaths(run, drifted);
    return {
      drifted: all,
      ...(await accessOfDrift(run, { found: drifted, drifted: all, unchecked }, accessOf)),
      objects: checked,
      unchecked,
      dependencies: new Map(
        found.objects.map(({ address, instance }) => [withoutKey(address), instance.dependencies]),
      ),
      scans: [],
      diagnostics: mergeDiagnostics(run.diagnostics),
    };
  });
}

/** The differences in attributes that are declared or may be. */
function driftOf(run: StackRun, refreshed: Refreshed): DriftedObject | undefined {
  const change = observedChange(run, refreshed);
  const { attributes, before, after } = change;
  if (after === null) return { kind: "vanished", change, attributes: [], declared: {} };
  const declaredNames = run.configured(refreshed.object.provider).declaredIn?.(refreshed.before);
  const differing = differences(attributes, before!, after)
    .filter(({ name, attribute }) =>
      attribute.presence === "optionalComputed"
        ? (declaredNames?.includes(name) ?? true)
        : isDeclared(attribute, before![name]),
    )
    .map(({ name }) => name);
  if (differing.length === 0) return undefined;
  const notKnown = differing.filter(
    (name) => declaredNames === undefined && attributes[name]!.presence === "optionalComputed",
  );
  return {
    kind: "changed",
    change,
    attributes: differing,
    declared: {},
    ...(notKnown.length > 0 && { notKnownDeclared: notKnown }),
  };
}
