import { limitOf, ratioOf, readLimits } from "../../test/growth/support/limits";
import { fixtureFor, timeGrowth } from "../../test/growth/support/measure-growth";
import { ServiceProcess } from "../support/service-process";
import type { Part } from "./figure";

export const SIZE = 60;
const SHOWN = 3;

/** The processor time of each operation at four times the objects, as a multiple: those that grow too much, or else the most. */
export const growth: Part = async (tell) => {
  const { time } = readLimits();
  const service = await ServiceProcess.start({ fixture: fixtureFor(SIZE) });
  try {
    const place = { url: service.url, token: service.token };
    const figures = (await timeGrowth({ place, size: SIZE }))
      .map((timed) => ({
        name: `growth of ${timed.scene}: ${timed.operation}`,
        value: ratioOf(timed),
        unit: "times" as const,
        atMost: limitOf(time, timed),
      }))
      .sort((one, other) => other.value / other.atMost - one.value / one.atMost);
    for (const figure of figures.filter(({ value, atMost }, at) => at < SHOWN || value > atMost))
      tell(figure);
  } finally {
    await service.close();
  }
};
