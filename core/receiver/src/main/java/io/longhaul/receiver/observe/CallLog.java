// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import io.longhaul.engine.run.MessageText;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line at INFO for each call of a tool when it ends, under {@code io.longhaul.calls}: the tool, how it ended,
 * how long it took, the generation, and the beginning of the id of its task. No line contains arguments, results or
 * tokens. Thread-safe.
 */
public final class CallLog implements ServerObserver {

    private static final Logger LOG = LoggerFactory.getLogger("io.longhaul.calls");
    private static final Map<CallStatus, String> OUTCOMES = inWords();

    /** The most characters of the name of a tool: a stranger can call a tool of any name. */
    private static final int LONGEST = 100;

    private static final int OF_TASK = 12;

    @Override
    public void on(ServerEvent event) {
        if (event instanceof ServerEvent.CallEnded ended && LOG.isInfoEnabled()) {
            // Without the formatter of the log: each call has such a line.
            LOG.info(MessageText.cut(ended.tool(), LONGEST) + ' ' + OUTCOMES.get(ended.outcome()) + " in "
                    + ended.took().toMillis() + " ms (" + ended.caller().generation() + task(ended.task()) + ')');
        }
    }

    private static Map<CallStatus, String> inWords() {
        var words = new EnumMap<CallStatus, String>(CallStatus.class);
        for (var outcome : CallStatus.values()) {
            words.put(outcome, outcome.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        }
        return words;
    }

    /** The beginning of a task id: enough to tell tasks apart, and not the key that an anonymous caller's id is. */
    private static String task(@Nullable String id) {
        return id == null ? "" : ", task " + (id.length() <= OF_TASK + 2 ? id : id.substring(0, OF_TASK + 2) + "...");
    }
}
