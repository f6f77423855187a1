// Games in the browser's own database, one for each tab, so that a reload goes on where it was.
//
// Only workers use it. Where the database is forbidden or full a reload begins anew, and nothing else is lost.

const STORE = "games";
const MOST = 8; // tabs that are closed leave their games behind

interface Kept {
  tab: string;
  time: number;
  game: string;
}

/** The game of a tab, if it has one. */
export async function readGame(tab: string): Promise<string | undefined> {
  try {
    const found = await settle((await openStore("readonly")).get(tab) as IDBRequest<Kept | undefined>);
    return found?.game;
  } catch {
    return undefined;
  }
}

/** Keep the game of a tab, or forget it. Nobody waits for it. */
export async function writeGame(tab: string, game: string | undefined): Promise<void> {
  try {
    const store = await openStore("readwrite");
    if (game === undefined) return void (await settle(store.delete(tab)));
    await settle(store.put({ tab, time: Date.now(), game }));
    const all = await settle(store.getAll() as IDBRequest<Kept[]>);
    for (const old of all.sort((a, b) => b.time - a.time).slice(MOST)) store.delete(old.tab);
  } catch {
    // as above
  }
}

async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const request = indexedDB.open("rulespec", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "tab" });
  const database = await settle(request);
  const transaction = database.transaction(STORE, mode);
  transaction.oncomplete = transaction.onabort = () => database.close();
  return transaction.objectStore(STORE);
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
