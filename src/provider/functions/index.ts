import type { FunctionDefinition } from "../../framework";
import { accessLevel, accessLevelName } from "./access-levels";
import { parseId } from "./parse-id";

/** The functions of the provider, for expressions. */
export const FUNCTIONS: readonly FunctionDefinition[] = [accessLevel, accessLevelName, parseId];
