import type { Write } from "../../../src/provider/samples/sample";
import type { World } from "./world";

/** The service does what it is asked, and cuts the connection before it answers. */
export const loseAnswer = ({ service }: World, write: Write, times = 1): void =>
  service.faults.add({ ...write, cut: true, after_work: true, times });

/** The connection breaks before the service does anything. */
export const loseRequest = ({ service }: World, write: Write, times = 1): void =>
  service.faults.add({ ...write, cut: true, times });
