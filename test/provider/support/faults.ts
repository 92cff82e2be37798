import type { World } from "./world";

/** What a lifecycle writes first on create, update and destroy. */
export interface Write {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly route: string;
}

/** The service does what it is asked, and cuts the connection before it answers. */
export const loseAnswer = ({ service }: World, write: Write, times = 1): void =>
  service.faults.add({ ...write, cut: true, after_work: true, times });

/** The connection breaks before the service does anything. */
export const loseRequest = ({ service }: World, write: Write, times = 1): void =>
  service.faults.add({ ...write, cut: true, times });
