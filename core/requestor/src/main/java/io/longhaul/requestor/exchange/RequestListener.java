// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import io.longhaul.protocol.Pace;
import io.longhaul.protocol.call.Notice;
import io.longhaul.requestor.Answerer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives what happens to one request until its response. No part may block.
 *
 * @param notices   takes the notifications that the server sends on the stream of this request
 * @param troubles  takes troubles while the request goes on, one sentence each for the user
 * @param answerer  answers the questions on the stream of this request; null for the client's answerer
 * @param pace      the rate of the questions on the stream of this request; null where they count with all others
 * @param works     whether the server works for this request, and may log what it does
 */
public record RequestListener(
        Consumer<Notice> notices,
        Consumer<String> troubles,
        @Nullable Answerer answerer,
        @Nullable Pace pace,
        boolean works) {

    public static final RequestListener NONE = new RequestListener(notice -> {}, sentence -> {}, null, null, false);
}
