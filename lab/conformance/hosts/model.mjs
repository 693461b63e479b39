// A scripted model: it knows nothing of Longhaul, and does what the texts of results tell it to do.

const NEXT = /(?:call|result by) (\S+) with (\{.*?\})/;

/** One turn of a conversation: the result of a call, its text, and the call that the text asks for, if any. */
export async function turn(session, call, options) {
  const result = await session.call(call.name, call.args, options);
  const text = result.content.map(part => part.text ?? '').join('\n');
  const asked = NEXT.exec(text);
  if (!asked) return { result, text };
  const next = { name: asked[1], args: JSON.parse(asked[2]), asksUser: text.includes('Ask your user') };
  if (!session.tools.has(next.name)) throw new Error(`a result names the tool ${next.name}, which is not listed`);
  return { result, text, next };
}

/** Goes on until a result asks for nothing more; `user` answers what the user is asked, given the text. */
export async function converse(session, call, user = () => ({})) {
  const used = [call.name];
  let said = await turn(session, call);
  while (said.next) {
    const { name, args, asksUser } = said.next;
    used.push(name);
    said = await turn(session, { name, args: asksUser ? { ...args, content: user(said.text) } : args });
  }
  return { ...said, used, turns: used.length };
}
