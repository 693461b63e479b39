// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import java.time.Duration;
import java.util.List;

/**
 * A server behind a gateway at one moment.
 *
 * @param state   up, starting, silent, away, refused, idle (ended until its next call) or paused (not called for a
 *     while, because it gave no answers)
 * @param why     it is not up, in words for an operator, or empty
 * @param offered what is offered of the server
 * @param calls   the counts of its calls
 */
public record UpstreamStatistics(String name, String state, String why, Offered offered, Calls calls) {

    /**
     * What is offered of a server.
     *
     * @param version that the server says, or empty while it is not connected
     * @param tools   how many of its tools are served
     * @param held    the tools whose changed definitions wait until they are accepted
     */
    public record Offered(String version, int tools, List<String> held) {}

    /**
     * The calls of a server since the gateway has begun with it.
     *
     * @param waiting  calls that wait for their turn
     * @param errors   calls that ended with an error, or without an answer
     * @param median   of the last quick calls; zero where none was timed
     * @param slowest  99 of 100 of these did not take longer
     */
    public record Calls(int underWay, int waiting, long ended, long errors, Duration median, Duration slowest) {}

    /** Whether the server can be called. */
    public boolean isThere() {
        return state.equals("up") || state.equals("idle");
    }

    /** All of it as JSON, with times in milliseconds. */
    public Json toJson() {
        var out = new JsonWriter().beginObject().name("name").string(name);
        out.name("state").string(state).name("why").string(why);
        out.name("version").string(offered.version()).name("tools").number(offered.tools());
        out.name("held").beginArray();
        offered.held().forEach(out::string);
        out.endArray();
        out.name("underWay").number(calls.underWay()).name("waiting").number(calls.waiting());
        out.name("calls").number(calls.ended()).name("errors").number(calls.errors());
        if (!calls.median().isZero()) {
            out.name("p50").number(calls.median().toMillis());
            out.name("p99").number(calls.slowest().toMillis());
        }
        return out.endObject().toJson();
    }
}
