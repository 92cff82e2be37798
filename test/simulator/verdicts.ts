import type { World } from "./world/world";

/**
 * Returns the verdicts of a story's plans, sorted so that their order does not depend on the planner. The verdicts of
 * two planners can then be compared.
 */
export const verdictsOf = ({ runs, violations }: World): string[] => [
  ...runs.flatMap(({ run, outcome }, at) =>
    outcome === undefined
      ? [`${at} ${run.do}: died`]
      : [
          `${at} ${run.do}: ${outcome.succeeded ? "succeeded" : "failed"}`,
          ...outcome.plans
            .flatMap(({ stack, plan }) => plan.changes.map((change) => `${at} ${stack} ${verdictOf(change)}`))
            .sort(),
          ...outcome.diagnostics
            .map(({ severity, code, address, detail }) => `${at} ${severity} ${code} ${address} ${detail}`)
            .sort(),
        ],
  ),
  ...violations.map(({ invariant, what }) => `${invariant}: ${what}`),
];

type Change = NonNullable<World["runs"][number]["outcome"]>["plans"][number]["plan"]["changes"][number];

const verdictOf = ({
  address,
  deposed,
  action,
  reason,
  sameAs,
  takesOver,
  previousAddress,
  importing,
}: Change): string =>
  [
    address,
    ...(deposed === undefined ? [] : [`(deposed ${deposed})`]),
    action,
    ...Object.entries({ reason, sameAs, takesOver, previousAddress, importing: importing?.id }).flatMap(
      ([name, value]) => (value === undefined ? [] : [`${name} ${value}`]),
    ),
  ].join(" ");
