import { isServiceProblem } from "../../diagnostics";
import type { ResourceDeclaration } from "../../language";
import { deletesPostponed } from "../moves/move-diagnostics";
import type { Instance } from "../run/instances";
import type { StackRun } from "../run/stack-run";
import { deletesObject } from "../steps/steps";
import type { ObjectPlaces } from "./object-places";
import type { PlannedSteps } from "./planned-steps";

interface Surroundings {
  readonly run: StackRun;
  readonly steps: PlannedSteps;
  readonly places: ObjectPlaces;
  /** Declarations that could not be planned, or wait for one that could not. */
  readonly blocked: ReadonlySet<string>;
  /** The instances of a declaration, where that is known. */
  readonly instancesOf: (resource: string) => readonly Instance[] | undefined;
}

/**
 * Takes the ends of objects out of a plan while a declaration of their type, or of one that shares sets with it, could not
 * be planned which has no object yet: one of them may be, or have, what it declares.
 */
export function holdBackEnds({ run, steps, places, blocked, instancesOf }: Surroundings): void {
  // With other errors nothing is applied at all.
  if (run.diagnostics.some(({ severity, code }) => severity === "error" && !isServiceProblem(code))) return;
  const held = new Set(places.managed.map(({ address }) => address));
  const lacksObject = (declaration: ResourceDeclaration): boolean => {
    const { address, count, forEach } = declaration;
    const instances = instancesOf(address);
    if (instances !== undefined) return instances.some((instance) => !held.has(instance.address));
    return count !== undefined || forEach !== undefined || !held.has(address);
  };
  const open = [...run.context.configuration.resources.values()].filter(
    (declaration) =>
      declaration.mode === "managed" && blocked.has(declaration.address) && lacksObject(declaration),
  );
  const kinOf = ({ type, provider }: ResourceDeclaration): readonly string[] => [
    type,
    ...(run.configured(provider)?.sharesWith?.(type) ?? []),
  ];
  for (const type of new Set(open.flatMap(kinOf))) {
    const ends = steps.all.filter((step) => step.change.type === type && deletesObject(step));
    for (const step of ends) steps.remove(step);
    const waitsFor = open.filter((one) => kinOf(one).includes(type)).map(({ address }) => address);
    if (ends.length > 0)
      run.report([
        deletesPostponed(
          ends.map(({ change }) => change.address),
          waitsFor,
        ),
      ]);
  }
}
