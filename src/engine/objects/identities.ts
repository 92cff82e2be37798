import type { AttributePath, Diagnostic } from "../../diagnostics";
import { continueWith, type Resolution, type StoredState, withRecovery } from "../../framework";
import { type Attributes, attributeEntries, isWhollyKnown, memoize, type ValueObject } from "../../schema";
import type { InstanceState } from "../../state";
import type { ChangeContainer, ResourceChange } from "../results/plan";
import type { StackRun } from "../stack-run/stack-run";
import { at, constructOf, type StateObject, stateOf } from "./objects";
import type { Refreshed } from "./refresh";

/**
 * Determines the identities of objects on the service. An identity does not depend on the address. The result is undefined for an
 * object whose identity can't be determined.
 */
export class Identities {
  readonly #cache = new Map<InstanceState, Promise<string | undefined>>();

  constructor(private readonly run: StackRun) {}

  /** Returns the identity of an object in the state. */
  identifyObject({ resource: { type }, instance, provider }: StateObject): Promise<string | undefined> {
    const known = this.#cache.get(instance);
    if (known !== undefined) return known;
    const found = this.identify(provider, type, stateOf(instance));
    // Without a configured provider, the identity is unknown and is not cached.
    if (this.run.configured(provider) !== undefined) this.#cache.set(instance, found);
    return found;
  }

  /**
   * Returns the identity of an object from a state, a plan or a declaration. The function first uses the ids that the
   * object's private bytes contain for paths. The function sends a request only if these ids are not sufficient.
   */
  async identify(
    provider: string,
    type: string,
    { attributes, private: remembered }: StoredState,
  ): Promise<string | undefined> {
    const configured = this.run.configured(provider);
    const request = { type, attributes, ...(remembered !== undefined && { private: remembered }) };
    return (
      (await configured?.identify?.({ ...request, isCacheOnly: true })) ?? configured?.identify?.(request)
    );
  }
}

/** A change to which the container can still be added. */
type Unplaced = { -readonly [K in keyof ResourceChange]: ResourceChange[K] };

/**
 * Adds the container of the object to a planned change, if the run knows the container. The function modifies the given change,
 * because copies would need too much memory in a plan that moves all objects.
 *
 * @param provider a key of the configuration
 */
export function addContainer(run: StackRun, provider: string, change: Unplaced): void {
  const { mode, action } = change;
  // An unchanged object already has its container. For other objects, Steward has looked up paths since these objects were
  // planned.
  if (mode !== "managed" || (action === "no-op" && change.container !== undefined)) return;
  const container = containerOf(run, provider, change);
  if (container !== undefined) change.container = container;
}

/**
 * For an update, gives the prior values the spelling of the planned values, if the run knows that both mean the same. The
 * function sends no request, because the plan of the object has looked up all paths in the new values.
 *
 * @param provider a key of the configuration
 */
export function respellBefore(
  run: StackRun,
  provider: string,
  change: Unplaced,
  [prior, planned]: readonly [StoredState | undefined, StoredState | undefined],
): void {
  const { mode, action, type, before, after } = change;
  if (mode !== "managed" || action === "no-op" || before === null || after === null) return;
  const [earlier, later] = [
    { ...prior, attributes: before },
    { ...planned, attributes: after },
  ];
  change.before = run.configured(provider)?.spelledLike?.(type, earlier, later) ?? before;
}

/** Looks up the paths of containers that the changes name only by number. The output for people contains paths. */
export async function learnContainers(
  run: StackRun,
  steps: readonly {
    readonly change: Pick<ResourceChange, "mode" | "type" | "before" | "after">;
    readonly provider: string;
  }[],
): Promise<void> {
  if (run.context.stop?.aborted) return;
  await Promise.all(
    steps.map(async ({ change: { mode, type, before, after }, provider }) => {
      const values = after ?? before;
      if (mode === "managed" && values !== null)
        await run.configured(provider)?.learnContainer?.(type, values);
    }),
  );
}

type Values = Pick<ResourceChange, "attributes" | "before" | "after" | "beforeSensitive" | "afterSensitive">;

/** Returns the attribute for the container: the required reference with the same name as the container's kind. */
export const containerAttribute = memoize((attributes: Attributes) => {
  const found = attributeEntries(attributes).find(
    ([name, { type, presence }]) => presence === "required" && type.kind === "reference" && type.to === name,
  );
  return { name: found?.[0] };
});

/** Returns the container that an object's attributes name. */
export function containerByAttributes({
  attributes,
  before,
  after,
  beforeSensitive,
  afterSensitive,
}: Values): ChangeContainer | undefined {
  const kind = containerAttribute(attributes).name;
  if (kind === undefined) return undefined;
  const isIdentifying = ([name]: AttributePath) => name === undefined || name === kind || name === "id";
  const isSensitive = beforeSensitive.some(isIdentifying) || afterSensitive.some(isIdentifying);
  const value = (after ?? before)?.[kind] ?? null;
  if (isSensitive || typeof value !== "string" || !isWhollyKnown(value)) return undefined;
  return { kind, name: value };
}

/** Returns the container of a changed object, with the id and path that the run knows. */
export function containerOf(
  run: StackRun,
  provider: string,
  change: Parameters<typeof containerByAttributes>[0] & Pick<ResourceChange, "type">,
): ChangeContainer | undefined {
  const byAttributes = containerByAttributes(change);
  if (byAttributes === undefined) return undefined;
  const values = change.after ?? change.before ?? {};
  const known = run.configured(provider)?.containerOf?.(change.type, values);
  if (known === undefined) return byAttributes;
  const { kind, id, path, url } = known;
  const container: { -readonly [K in keyof ChangeContainer]: ChangeContainer[K] } = {
    kind,
    name: path ?? byAttributes.name,
  };
  if (id !== undefined) container.id = id;
  if (url !== undefined) container.url = url;
  return container;
}

const NONE: readonly Diagnostic[] = [];

/**
 * Compares the declared paths of an object with the ids that these paths had at the last apply, and returns diagnostics. Without
 * a configuration, it compares the paths in the state.
 */
export function declaredPaths(
  run: StackRun,
  { object, before }: Refreshed,
  config: ValueObject | undefined,
): Resolution<readonly Diagnostic[]> {
  const { address, resource, provider } = object;
  const { declaredPaths: compare } = run.configured(provider);
  if (compare === undefined) return NONE;
  const request = { type: resource.type, state: before, ...(config !== undefined && { config }) };
  const found = withRecovery(
    () => compare(request),
    (problem) => Promise.reject(problem),
  );
  return continueWith(found, (diagnostics) =>
    diagnostics.length === 0
      ? NONE
      : at(diagnostics, address, constructOf(run.context.configuration, resource)),
  );
}
