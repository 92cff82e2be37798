// This file lists operations of Steward whose costs could grow faster than their input. `npm test` counts the work of
// each operation, and `npm run gate` measures its time. The count and the measurement each use an input of one size,
// and an input of four times that size.

import { apps } from "./support/apps";
import { estate } from "./support/estate";
import { graphs } from "./support/graphs";
import { moving } from "./support/moving";
import { oneProject } from "./support/one-project";
import { references } from "./support/references";
import { reports } from "./support/reports";
import type { Scene } from "./support/scene";
import { stacks } from "./support/stacks";

export const SCENES: readonly Scene[] = [
  estate,
  oneProject,
  reports,
  ...graphs,
  stacks,
  moving,
  references,
  apps,
];
