import { isDead } from "../../files";
import { type HttpResponse, textOf } from "../../http";
import { decodeStateText, formatState, parseState } from "../format/file-format";
import { JournalDocument } from "../journal/journal-document";
import { acquire, heldLock, refuseUnlock } from "../lock/lock";
import type { Attempt } from "../lock/lock-file";
import {
  formatLockInfo,
  type LockInfo,
  type LockRequest,
  lockedError,
  newLockInfo,
  parseLockInfo,
  type StateLock,
} from "../lock/lock-info";
import type { State } from "../model/model";
import { digestOf } from "../model/state-digest";
import { isSameVersion, lineageDiffers, movedOn, type Version } from "../model/state-version";
import type { HttpBackendConfig } from "../storage/http-config";
import { addressText, refuseAnswer } from "../storage/http-problems";
import { HttpTransport, NO_STATE, SAVED } from "../storage/http-transport";
import { type Announce, type StateBackend, snapshotOf } from "./backend";

const HELD = new Set([409, 423]);

const WITHOUT_LOCK =
  "Locking takes more rights than reading: `steward plan --lock=false` takes no lock, and a token that only reads is enough for it.";

/** A state behind an address, in the protocol of Terraform's `http` backend. */
export class HttpBackend implements StateBackend {
  readonly description: string;
  readonly journal: JournalDocument;
  private readonly transport: HttpTransport;
  private seen: { readonly version?: Version } | undefined;
  private lockId: string | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly config: HttpBackendConfig) {
    this.description = addressText(config.address);
    this.transport = new HttpTransport(config);
    this.journal = new JournalDocument(config, this.transport);
  }

  get version(): Version | undefined {
    return this.seen?.version;
  }

  async read(): Promise<State | undefined> {
    const { version, state } = await this.look();
    this.seen = version === undefined ? {} : { version };
    return state;
  }

  private async look(): Promise<{ version?: Version; state?: State }> {
    const answer = await this.transport.read(this.config.address);
    if (NO_STATE.has(answer.status)) return {};
    if (answer.status !== 200) refuseAnswer(answer, "GET", this.config.address);
    if (answer.body.length === 0) return {};
    const text = decodeStateText(answer.body, this.description);
    const state = parseState(text, this.description);
    return { state, version: { serial: state.serial, lineage: state.lineage, digest: digestOf(text) } };
  }

  write(state: State, announce?: Announce): Promise<void> {
    const snapshot = snapshotOf(state);
    const write = this.writing.then(() => this.save(snapshot, announce));
    this.writing = write.catch(() => undefined);
    return write;
  }

  private async save(state: State, announce?: Announce): Promise<void> {
    const before = await this.unmoved();
    lineageDiffers(state, before, this.description);
    const serial = (before?.serial ?? state.serial) + 1;
    const text = formatState({ ...state, serial });
    const version: Version = { serial, lineage: state.lineage, digest: digestOf(text) };
    if (version.digest === before?.digest) return;
    await announce?.(version);
    const url = new URL(this.config.address);
    if (this.lockId !== undefined) url.searchParams.set("ID", this.lockId);
    const answer = await this.transport.send(this.config.updateMethod, url, text);
    if (HELD.has(answer.status)) throw lockedError(this.holderIn(answer), this.description);
    if (!SAVED.has(answer.status)) refuseAnswer(answer, this.config.updateMethod, url);
    this.seen = { version };
  }

  /** What is saved there. Under a lock that is what was seen last; without one somebody may have been faster. */
  private async unmoved(): Promise<Version | undefined> {
    if (this.seen !== undefined && this.lockId !== undefined) return this.seen.version;
    const { version } = await this.look();
    if (this.seen !== undefined && !isSameVersion(this.seen.version, version)) {
      movedOn(this.seen.version, version, this.description);
    }
    return version;
  }

  /** Locks where the backend has a `lock_address`; without one it is held by agreement alone, as under Terraform. */
  async lock(request: LockRequest): Promise<StateLock> {
    const info = newLockInfo(request, this.description);
    const { lockAddress } = this.config;
    if (lockAddress === undefined) return heldLock(info, () => Promise.resolve());
    const tookOver = await acquire(() => this.attempt(lockAddress, info), request, this.description);
    this.lockId = info.id;
    return heldLock(info, () => this.giveBack(info), tookOver);
  }

  private async attempt(url: URL, info: LockInfo): Promise<Attempt> {
    const first = await this.ask(url, info);
    const holder = first.taken ? undefined : first.holder;
    if (holder?.process === undefined || !isDead(holder.process)) return first;
    // The server compares ids: who is slower here can't remove the lock of who was faster.
    await this.remove(holder);
    const second = await this.ask(url, info);
    return second.taken ? { taken: true, tookOver: holder } : second;
  }

  private async ask(url: URL, info: LockInfo): Promise<Attempt> {
    const answer = await this.transport.send(this.config.lockMethod, url, formatLockInfo(info));
    if (answer.status === 200) return { taken: true };
    if (!HELD.has(answer.status)) {
      refuseAnswer(answer, this.config.lockMethod, url, answer.status === 403 ? WITHOUT_LOCK : "");
    }
    const holder = this.holderIn(answer);
    // Our own id there means that the answer to an earlier try was lost.
    return holder.id === info.id ? { taken: true } : { taken: false, holder };
  }

  private holderIn(answer: HttpResponse): LockInfo {
    return parseLockInfo(textOf(answer), this.description);
  }

  private async giveBack(info: LockInfo): Promise<void> {
    this.lockId = undefined;
    await this.remove(info);
  }

  private async remove(info: LockInfo): Promise<void> {
    const { unlockAddress, unlockMethod } = this.config;
    if (unlockAddress === undefined) return;
    const answer = await this.transport.send(unlockMethod, unlockAddress, formatLockInfo(info));
    // Somebody else's, or none: then this one is gone already.
    const isGoneAlready = HELD.has(answer.status) || answer.status === 404;
    if (!SAVED.has(answer.status) && !isGoneAlready) refuseAnswer(answer, unlockMethod, unlockAddress);
  }

  async unlock(id: string): Promise<LockInfo> {
    const { unlockAddress, unlockMethod } = this.config;
    if (unlockAddress === undefined) return refuseUnlock(id, undefined, this.description);
    const asked = JSON.stringify({ ID: id });
    const answer = await this.transport.send(unlockMethod, unlockAddress, asked);
    if (SAVED.has(answer.status)) return parseLockInfo(asked, this.description);
    if (answer.status === 404) return refuseUnlock(id, undefined, this.description);
    if (HELD.has(answer.status)) return refuseUnlock(id, this.holderIn(answer), this.description);
    return refuseAnswer(answer, unlockMethod, unlockAddress);
  }
}
