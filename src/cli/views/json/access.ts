import type { AccessHolder, AccessPlace, AccessReport, RehearsedStep, RightsReport } from "../../../engine";
import { accessLine, quoted } from "../access-lines";

/** What changes for people in one place, as in reports; `docs/report.schema.json` describes it. */
interface AccessJson {
  /** The kinds and names of the place, such as `project` and `environment`. */
  readonly [kind: string]: unknown;
  readonly stack?: string;
  readonly gains: Record<string, string[]>;
  readonly loses: Record<string, string[]>;
  readonly rules: { name: string; before: string | number; after: string | number }[];
  readonly not_counted: { what: string; why: string }[];
  readonly text: string;
}

/** The entries of a plan's access changes. What belongs to no place has an entry of its own. */
export function accessJson({ places, notCounted }: AccessReport, stack: string | undefined): AccessJson[] {
  const of = stack === undefined ? {} : { stack };
  const entries = places.map((place) => ({ ...of, ...describePlace(place) }));
  if (notCounted.length === 0) return entries;
  return [
    ...entries,
    {
      ...of,
      gains: {},
      loses: {},
      rules: [],
      not_counted: notCounted.map(({ what, why }) => ({ what, why })),
      text: "",
    },
  ];
}

function describePlace(place: AccessPlace): AccessJson {
  const { container, target, abilities, rules, notCounted } = place;
  const names = (side: "gains" | "loses") =>
    Object.fromEntries([
      ...(target?.kind === "environment" ? ENVIRONMENT_ABILITIES : []).map((name) => [name, [] as string[]]),
      ...abilities.map((ability) => [ability.name, ability[side].map(nameOf)]),
    ]) as Record<string, string[]>;
  return {
    [container.kind]: container.name,
    ...(target !== undefined && { [target.kind]: target.name }),
    gains: names("gains"),
    loses: names("loses"),
    rules: rules.map(({ name, before, after }) => ({ name, before, after })),
    not_counted: notCounted.map(({ what, why }) => ({ what, why })),
    text: accessLine(place, quoted).text,
  };
}

/** Listed for every environment, also where nobody gains or loses them. */
const ENVIRONMENT_ABILITIES = ["deploy", "approve"];

/** People by their name alone, others with their kind. */
const nameOf = ({ kind, name }: AccessHolder): string =>
  kind === "project" || kind === "group" ? `${kind} ${name}` : name;

/** The rights that a plan needs; `has` is null if the service does not tell. */
export const rightsJson = ({ rights, notKnown }: RightsReport, stack: string | undefined): object[] => [
  ...rights.map(({ kind, name, at, has }) => ({
    ...(stack !== undefined && { stack }),
    [kind]: name,
    ...(at !== undefined && { [at.kind]: at.name }),
    has: has ?? null,
  })),
  ...notKnown.map(({ what, why }) => ({ ...(stack !== undefined && { stack }), not_known: what, why })),
];

/** The requests of an apply, each with its object; `not_known` has the reason why requests of an object are missing. */
export const requestsJson = (steps: readonly RehearsedStep[], stack: string | undefined): object[] =>
  steps.flatMap(({ address, requests, why }) => {
    const of = { ...(stack !== undefined && { stack }), address };
    return [
      ...requests.map((request) => ({ ...of, ...request })),
      ...(why === undefined ? [] : [{ ...of, not_known: why }]),
    ];
  });
