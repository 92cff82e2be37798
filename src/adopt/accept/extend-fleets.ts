import { Emails } from "../model/emails";
import type { AdoptedContainer, LiveSettings } from "../model/live-settings";
import { declarationsOfAll, type PartDeclaration } from "../typescript/declarations";
import type { InsertOptions } from "../typescript/insert";
import { TypeScriptSource } from "./typescript-source";

/** A project of a fleet, as the state knows it. */
export interface FleetPlace {
  /** The line of the fleet in the file, counted from 1. */
  readonly line: number;
  /** The key of its instances: `42`. */
  readonly key: string;
  /** The paths of the fleet's resources below the stack, by type: `acme/environments`. */
  readonly resources: ReadonlyMap<string, string>;
}

/** A source whose fleets declare more. */
export interface ExtendedFleets {
  readonly text: string;
  /** What has no place in a fleet. */
  readonly containers: readonly AdoptedContainer[];
  /** Import ids by resource below the stack: `acme/environments[42:production]`. */
  readonly imports: readonly (readonly [resource: string, id: string])[];
}

/**
 * Declares live settings of a fleet's projects in layers of theirs.
 *
 * @param placeOf the fleet that a project belongs to, by its path
 */
export function extendFleets(
  source: string,
  settings: LiveSettings,
  { file, allSettings, includeEmails }: Pick<InsertOptions, "file" | "allSettings" | "includeEmails">,
  placeOf: (path: string) => FleetPlace | undefined,
): ExtendedFleets {
  const code = new TypeScriptSource(source, file);
  const imports: [string, string][] = [];
  const extended = (container: AdoptedContainer): AdoptedContainer => {
    const place = placeOf(container.path);
    if (place === undefined) return container;
    const rest = container.objects.filter((one) => {
      const [declared] = declarationsOfAll(
        { ...settings, containers: [{ ...container, objects: [one] }] },
        { allSettings, emails: new Emails(includeEmails), emailFunction: "" },
      );
      const [part] = declared!.parts;
      const resource = place.resources.get(one.type);
      if (part === undefined || resource === undefined) return true;
      const key = layerKey(part);
      const path = [part.option, ...(key === undefined ? [] : [key])];
      if (key === "" || code.extend(place.line, container.path, path, part.value) !== undefined) return true;
      const instance = key === undefined ? place.key : `${place.key}:${key}`;
      imports.push([`${resource}[${instance}]`, part.single.importId]);
      return false;
    });
    return { ...container, objects: rest };
  };
  const containers = settings.containers.map(extended);
  return { text: code.text, containers, imports };
}

/** The key of a part in a layer; empty if it is computed. */
function layerKey({ key }: PartDeclaration): string | undefined {
  if (key === undefined) return undefined;
  return key.kind === "text" ? key.text : key.kind === "own-path" ? `{project}${key.rest}` : "";
}
