// Writes an app, or a configuration, for live settings.
export { fromListing } from "./model/from-listing";
export type * from "./model/live-settings";
export { type TypeScriptAppOptions, writeTypeScriptApp } from "./typescript/app";
