import { described, limitOf, ratioOf, readLimits, unknownIn } from "../../test/growth/support/limits";
import { countGrowth, fixtureFor } from "../../test/growth/support/measure-growth";
import { ServiceProcess } from "../support/service-process";
import type { Measure } from "./figure";

/**
 * The number of objects in the smaller of the two measured runs. The limits in `budgets.json` are valid for this size.
 */
const SIZE = 12;
const SHOWN = 3;

/**
 * Counts the work of each operation with `SIZE` objects and with four times as many objects. Reports the ratio of the
 * two counts for operations whose work grows too much, and for the operations with the highest ratios.
 */
export const growth: Measure = async (report) => {
  const limits = readLimits();
  const service = await ServiceProcess.start({ fixture: fixtureFor(SIZE) });
  try {
    const place = { url: service.url, token: service.token };
    const counted = await countGrowth({ place, size: SIZE });
    const figures = counted
      .map((one) => ({
        name: `work of ${one.scene}: ${one.operation}`,
        value: ratioOf(one),
        unit: "times" as const,
        atMost: limitOf(limits.work, one),
      }))
      .sort((one, other) => other.value / other.atMost - one.value / one.atMost);
    for (const figure of figures.filter(({ value, atMost }, at) => at < SHOWN || value > atMost))
      report(figure);
    const places = new Set(counted.flatMap((one) => unknownIn(one, limits).map(described)));
    report({ name: "places whose work grows too much", value: places.size, unit: "places", atMost: 0 });
    for (const place of places) process.stdout.write(`  ${place}\n`);
  } finally {
    await service.close();
  }
};
