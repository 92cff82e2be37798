import type { ImportResponse } from "../../framework";
import type { ResourceDeclaration } from "../../language";
import type { Instance } from "../run/instances";
import { at, providerAddress, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { Refreshed } from "../steps/refresh";
import { stateInstance } from "../steps/state-instance";
import { describeTarget, type ImportTarget } from "./import-targets";

/** Imports a live object for a plan, which treats it as if the state held it. Writes nothing. */
export async function importForPlan(
  run: StackRun,
  declaration: ResourceDeclaration,
  instance: Instance,
  target: ImportTarget,
): Promise<Refreshed> {
  const { construct } = declaration;
  const { state, diagnostics } = await readObject(run, declaration, instance, target);
  const live = state ?? { attributes: {} };
  return {
    object: objectFor(run, declaration, instance, live),
    before: live,
    live,
    importing:
      target.identity === undefined
        ? { id: target.id }
        : // The complete identity, in which a number replaces a path.
          { id: String(live.attributes["id"]), identity: live.identity ?? target.identity },
    diagnostics: at(diagnostics, instance.address, construct),
  };
}

/** The same for a live object in the place of a new one. */
export async function importExisting(
  run: StackRun,
  declaration: ResourceDeclaration,
  instance: Instance,
  id: string,
): Promise<Refreshed> {
  const refreshed = await importForPlan(run, declaration, instance, { id });
  return { ...refreshed, importing: { id, existing: true } };
}

async function readObject(
  run: StackRun,
  { type, provider }: ResourceDeclaration,
  { address }: Instance,
  target: ImportTarget,
): Promise<ImportResponse> {
  const { onEvent } = run.context;
  const id = describeTarget(target);
  onEvent?.({ kind: "refresh_start", address, id });
  const answer = await run.configured(provider).importResource({ type, ...target });
  onEvent?.({ kind: "refresh_complete", address, id });
  return answer;
}

function objectFor(
  run: StackRun,
  declaration: ResourceDeclaration,
  { key, address }: Instance,
  state: Refreshed["before"],
): StateObject {
  const { type, name, provider } = declaration;
  return {
    address,
    provider,
    resource: {
      mode: "managed",
      type,
      name,
      provider: providerAddress(run.source(provider), provider),
      instances: [],
    },
    instance: stateInstance(state, run.schema(declaration), { key, sensitive: [], dependencies: [] }),
  };
}
