// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the requests that an unreadable message answers, where the message is too large or broken. The class reads the
 * bytes as they arrive and keeps none. It finds only integer ids, which Longhaul's own client uses. For one thread.
 */
public final class AnsweredIds {

    private static final int LONGEST_WORD = 20;

    private final List<RequestId> found = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private @Nullable String member;
    private @Nullable RequestId id;
    private boolean isRequest;
    private int depth;

    /** The nesting depth of the members of a message: one deeper where several messages come in an array. */
    private int level = 1;

    private boolean quoted;
    private boolean escaped;

    /** The requests that a whole text answers. */
    public static List<RequestId> in(byte[] text) {
        var ids = new AnsweredIds();
        ids.read(text, 0, text.length);
        return ids.found();
    }

    /** Reads more of the text. */
    public void read(byte[] bytes, int from, int to) {
        for (var i = from; i < to; i++) {
            if (quoted) {
                inString(bytes[i]);
            } else {
                outside(bytes[i]);
            }
        }
    }

    /** The answered requests that were found so far. */
    public List<RequestId> found() {
        var all = new ArrayList<>(found);
        if (id != null && !isRequest) {
            all.add(id);
        }
        return List.copyOf(all);
    }

    private void inString(byte next) {
        if (!escaped && next == '"') {
            quoted = false;
            return;
        }
        escaped = !escaped && next == '\\';
        keep(next);
    }

    private void outside(byte next) {
        switch (next) {
            case '"' -> {
                quoted = true;
                keep(next);
            }
            case '{', '[' -> {
                if (depth == 0) {
                    level = next == '{' ? 1 : 2;
                }
                depth++;
            }
            case '}', ']' -> {
                if (depth == level) {
                    endMember();
                    endMessage();
                }
                depth--;
            }
            case ':' -> {
                if (depth == level) {
                    member = take();
                }
            }
            case ',' -> {
                if (depth == level) {
                    endMember();
                }
            }
            case ' ', '\t', '\r', '\n' -> {
                // Separates nothing.
            }
            default -> keep(next);
        }
    }

    private void keep(byte next) {
        if (depth == level && word.length() <= LONGEST_WORD) {
            word.append((char) (next & 0xFF));
        }
    }

    private String take() {
        var taken = word.toString();
        word.setLength(0);
        return taken;
    }

    private void endMember() {
        var value = take();
        if ("\"method".equals(member)) {
            isRequest = true;
        } else if ("\"id".equals(member) && value.matches("-?[0-9]{1,18}")) {
            id = new RequestId.Number(Long.parseLong(value));
        }
        member = null;
    }

    private void endMessage() {
        if (id != null && !isRequest) {
            found.add(id);
        }
        id = null;
        isRequest = false;
    }
}
