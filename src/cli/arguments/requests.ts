import type { Command, OptionValues } from "commander";
import { parseCount } from "./values";

/** How many requests a command sends at the same time, and per minute. */
export interface RequestArguments {
  readonly parallelism: number | undefined;
  readonly maxRequestsPerMinute: number | undefined;
}

export const defineRequests = <T extends Command>(command: T): T =>
  defineRequestPace(
    command.option(
      "--parallelism <n>",
      "maximum number of concurrent requests (by default adaptive, from 10 to 50)",
      parseCount,
    ),
  );

/** The limit alone, for commands that send few requests or leave their number to another program. */
export const defineRequestPace = <T extends Command>(command: T): T =>
  command.option(
    "--max-requests-per-minute <n>",
    "maximum number of requests per minute, retries included: a share of the service's limit for this run",
    parseCount,
  );

export const readRequests = (options: OptionValues): RequestArguments => ({
  parallelism: options["parallelism"],
  maxRequestsPerMinute: options["maxRequestsPerMinute"],
});
