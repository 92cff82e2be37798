import { type Diagnostic, error, mergeDiagnostics, warning } from "../../diagnostics";
import { isUnknown, isWhollyKnown, reference } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import { OwnershipRegistry } from "../ownership/ownership";
import type { DeclaredObject, UndeclaredObject, UndeclaredResponse } from "../protocol/protocol";
import { ReferenceNotFound } from "../references/references";
import { toContainer } from "./find-containers";
import { toLiveObject } from "./list-resource";
import { ownershipsOf, ownOwnership } from "./ownerships-of";
import { identityOf, referencesOf, type Session, scopeOf } from "./session";
import { containerOf, resolveDeclared } from "./state";

/** A container of declared objects. */
interface Container {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

/**
 * What is live in the containers that the declarations touch, of every type that an entry can be made of by
 * hand, and that no declaration owns: neither as a single object, nor as a part of a set that is owned as a whole.
 */
export async function listUndeclared(
  session: Session,
  definitions: readonly ResourceDefinition[],
  byType: (type: string) => ResourceDefinition,
  declared: readonly DeclaredObject[],
): Promise<UndeclaredResponse> {
  const coverage = new Coverage(session);
  await Promise.all(declared.map((one) => coverage.claim(byType(one.type), one)));
  const objects = await coverage.unclaimed(definitions.filter(({ key }) => key !== undefined));
  return {
    service: session.connection.address,
    containers: [...coverage.containers.keys()],
    objects,
    diagnostics: mergeDiagnostics(coverage.diagnostics),
  };
}

class Coverage {
  readonly containers = new Map<string, Container>();
  readonly diagnostics: Diagnostic[] = [];
  readonly #session: Session;
  readonly #claims = new OwnershipRegistry();

  constructor(session: Session) {
    this.#session = session;
  }

  /**
   * Records the ownerships and the container of a declaration. The plan reports references that can't be
   * resolved.
   */
  async claim(definition: ResourceDefinition, { config, state, type }: DeclaredObject): Promise<void> {
    const { container: kind } = definition;
    const values = state?.attributes ?? config;
    if (state === undefined && (isUnknown(values[kind]) || !isWhollyKnown(values))) return;
    try {
      const references = referencesOf(definition, this.#session, state);
      const object = await resolveDeclared(definition, values, references);
      const id = state === undefined ? containerOf(definition, object) : identityOf(state).container;
      const name = `${kind} ${id}`;
      this.containers.set(name, { kind, id, name });
      const scope = scopeOf(definition, this.#session, id);
      const key = state === undefined ? definition.key?.of(object) : identityOf(state).key;
      const listedKey = await definition.listedKey?.(scope, object);
      const own = [key, listedKey]
        .filter((one) => one !== undefined)
        .map((one) => ownOwnership(definition, one));
      const claimant = { resource: type, object: undefined, isPlannedAgain: false };
      this.#claims.register(claimant, name, [...own, ...ownershipsOf(definition, object)]);
    } catch (problem) {
      this.#tell(problem, `${type} ${String(values["id"] ?? "")}`);
    }
  }

  async unclaimed(definitions: readonly ResourceDefinition[]): Promise<UndeclaredObject[]> {
    const looked = [...this.containers.values()].flatMap((container) =>
      definitions
        .filter((definition) => definition.container === container.kind)
        .map((definition) => this.#unclaimedIn(container, definition)),
    );
    const found = (await Promise.all(looked)).flat();
    return found.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  }

  async #unclaimedIn(
    { kind, id, name }: Container,
    definition: ResourceDefinition,
  ): Promise<UndeclaredObject[]> {
    try {
      if (await this.#session.lookups.isArchived(kind, id)) {
        this.diagnostics.push(passedOver(kind, id));
        return [];
      }
      const type = this.#session.typeOf(definition);
      const live = await definition.list(scopeOf(definition, this.#session, id));
      const unclaimed = live.filter(
        (one) =>
          !this.#claims.hold(name, [
            ownOwnership(definition, definition.key!.of(one)),
            ...ownershipsOf(definition, one),
          ]),
      );
      return await Promise.all(
        unclaimed.map(async (one) => ({
          type,
          container: name,
          state: (
            await toLiveObject(
              definition,
              this.#session,
              {},
              toContainer(kind, { ...reference(id), path: String(id) }),
              one,
            )
          ).state,
        })),
      );
    } catch (problem) {
      // A readable container with a disabled feature has no objects of it.
      if (this.#session.failures.isGone(problem) && (await this.#session.lookups.isReadable(kind, id)))
        return [];
      this.#tell(problem, `what ${this.#session.typeOf(definition)} declares in the ${name}`);
      return [];
    }
  }

  #tell(problem: unknown, what: string): void {
    // The plan reports a name that can't be resolved.
    if (problem instanceof ReferenceNotFound) return;
    for (const one of this.#session.failures.toDiagnostics(problem)) {
      this.diagnostics.push(error({ ...one, detail: `Coverage of ${what}: ${one.detail}` }));
    }
  }
}

const orderOf = ({ type, state }: UndeclaredObject): string => `${type} ${String(state.attributes["id"])}`;

const passedOver = (kind: string, container: number): Diagnostic =>
  warning({
    code: "archived_project",
    summary: `The ${kind} is archived and not checked for coverage`,
    detail:
      `The ${kind} ${container} is archived: nothing can be changed there, so its undeclared ` +
      "objects are not listed.",
  });
