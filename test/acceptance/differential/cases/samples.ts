import { PROVIDER_NAME } from "../../../../src/provider";
import type { ValueObject } from "../../../../src/schema";
import { changedInPlace, containerOf, isUpdated, placed, SAMPLES } from "../../../provider/samples";
import { ownPath } from "../../../provider/support/own-places";
import { PEOPLE } from "../../../provider/support/world";
import type { CaseStep, DifferentialCase } from "../case";

/**
 * One case for each resource. The steps of a case create, change and delete the sample of the resource in a separate
 * project or group.
 */
export const samples: readonly DifferentialCase[] = Object.keys(SAMPLES).map((type) => {
  const { config, byHand, deleteByHand, container } = SAMPLES[type]!;
  const name = `sample${type.slice(PROVIDER_NAME.length)}`;
  const kind = containerOf(type);
  const at = `/${kind}s/${encodeURIComponent(ownPath(type))}`;
  const declares = (given: ValueObject) => ({
    resource: { [type]: { [name]: placed(type, ownPath(type), given) } },
  });
  const [change] = Object.values(byHand);
  const steps: readonly [CaseStep, ...CaseStep[]] = [
    { does: "creates it", declares: declares(config) },
    ...(change === undefined
      ? []
      : [
          {
            does: "mends what was changed by hand",
            declares: declares(config),
            byHand: (http) => change(http, at),
          } satisfies CaseStep,
        ]),
    ...(isUpdated(SAMPLES[type]!)
      ? [{ does: "changes it in place", declares: declares(changedInPlace(type)) }]
      : []),
    ...(typeof deleteByHand === "function"
      ? [
          {
            does: "creates it anew when it was deleted by hand",
            declares: declares(config),
            byHand: (http) => deleteByHand(http, at),
          } satisfies CaseStep,
        ]
      : []),
    { does: "takes it out of the state", declares: {} },
  ];
  const place = { path: ownPath(type), ...container };
  const fixture = kind === "project" ? { projects: [{ ...place, ...PEOPLE }] } : { groups: [place] };
  return { name, steps, fixture };
});
