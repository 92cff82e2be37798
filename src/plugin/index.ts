export { type PluginProgram, writeMirror } from "./mirror";
export { servePlugin } from "./serve-plugin";
export { type Reattached, serveReattach } from "./serve-reattach";
