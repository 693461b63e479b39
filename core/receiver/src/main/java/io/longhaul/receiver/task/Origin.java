// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Source;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.ClientProfile.Takes;
import io.longhaul.protocol.call.Trace;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.question.Asking;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a task, stored with the task.
 *
 * @param route  the request that created the task
 * @param asking what its requestor can be asked
 * @param given  answers that were given before the task was created, by key
 * @param caller the caller that sent the request, as handlers see it
 * @param trace  the trace that the request belongs to
 */
public record Origin(Route route, Asking asking, Map<String, Json> given, CallerInfo caller, Trace trace) {

    /**
     * The request that created a task.
     *
     * @param dialect name of the dialect
     * @param session id of the session, or null where there was none
     * @param request id of the request
     * @param wanted  what the sender wants to be told
     * @param plain   whether the request itself waits for the outcome
     * @param alias   the id that the requestor chose for the task, or null
     */
    public record Route(
            String dialect,
            @Nullable String session,
            Json request,
            NoticeOptions wanted,
            boolean plain,
            @Nullable Alias alias) {}

    /**
     * What a requestor wants to be told.
     *
     * @param progressToken null where no progress was asked for
     * @param logLevel      least level of log messages asked for, or null
     */
    public record NoticeOptions(
            @Nullable Json progressToken, @Nullable String logLevel) {}

    public Origin {
        given = Map.copyOf(given);
    }

    /** The questions that the pages of an application can answer: they show forms and web addresses to a person. */
    private static final Asking PAGES = new Asking(new Capabilities(true, true, false, false, false), false);

    private static final Asking NOBODY = new Asking(new Capabilities(false, false, false, false, false), false);

    private static final String BEGINNING = "{\"dialect\":\"";
    private static final String BEGINNING_OF_OWN = BEGINNING + "application\",";

    private static final Route NO_REQUEST =
            new Route("application", null, Json.raw("null"), new NoticeOptions(null, null), false, null);

    /**
     * The group of live tasks that a task counts with. Tasks that the application itself made for the local user, as
     * by the clock, have an allowance of their own: callers of a local server cannot use it up, and it not theirs.
     */
    public static String share(Owner owner, Source source) {
        boolean isOwn = owner.equals(Owner.LOCAL)
                && source.parent() == null
                && source.origin().text().startsWith(BEGINNING_OF_OWN);
        return isOwn ? NO_REQUEST.dialect() : owner.value();
    }

    /** The origin of a task that no client has asked for. */
    static Origin ofPages(Owner owner) {
        var caller = new CallerInfo(Principal.named(owner.value()), Set.of(), null, null, Map.of());
        return new Origin(NO_REQUEST, PAGES, Map.of(), caller, Trace.NONE);
    }

    /** The origin of a call that makes no task, and that nobody can be asked in. */
    public static Origin ofCall(CallerInfo caller) {
        return new Origin(NO_REQUEST, NOBODY, Map.of(), caller, Trace.NONE);
    }

    /** The origin of a task that an application has repeated; its handler sees the original caller. */
    Origin again() {
        return new Origin(NO_REQUEST, PAGES, given, caller, Trace.NONE);
    }

    /** The origin of a child of this task: the questions of the child reach the same requestor. */
    public Origin ofChild() {
        return new Origin(NO_REQUEST, asking, Map.of(), caller, trace);
    }

    public Payload toPayload() {
        var out = JsonWriter.object();
        out.member("dialect", route.dialect()).optional("session", route.session());
        out.member("request", route.request());
        out.optional("progressToken", route.wanted().progressToken())
                .optional("logLevel", route.wanted().logLevel());
        out.member("plain", route.plain());
        if (route.alias() != null) {
            out.member("aliasSpace", route.alias().space());
            out.member("alias", route.alias().id());
        }
        Capabilities can = asking.capabilities();
        out.member("byRequest", asking.byRequest());
        Asking.write(can, out);
        out.member("tasks", can.tasks()).member("parts", can.parts());
        out.name("given").beginObject();
        given.forEach((key, answer) -> out.member(key, answer));
        out.endObject();
        write(caller, out);
        out.optional("traceparent", trace.parent());
        out.optional("tracestate", trace.state()).optional("baggage", trace.baggage());
        return Payload.of(out.end().bytes());
    }

    /** Writes a caller without its principal, which is stored as the owner of the task. */
    private static void write(CallerInfo caller, JsonWriter out) {
        out.optional("clientName", caller.clientName()).optional("clientVersion", caller.clientVersion());
        if (!caller.scopes().isEmpty()) {
            out.name("scopes").beginArray();
            caller.scopes().forEach(out::string);
            out.endArray();
        }
        if (!caller.headers().isEmpty()) {
            out.name("headers").beginObject();
            caller.headers().forEach((name, value) -> out.member(name, value));
            out.endObject();
        }
    }

    private static CallerInfo caller(TaskSpec spec, Params in) {
        Map<String, String> headers = new HashMap<>();
        in.members("headers").forEach((name, value) -> headers.put(name, JsonReader.text(value)));
        return new CallerInfo(
                Principal.named(spec.owner().value()),
                Set.copyOf(in.strings("scopes")),
                in.optionalString("clientName"),
                in.optionalString("clientVersion"),
                headers);
    }

    /** The name of the dialect of the request that created a task: the first member, which is read without the rest. */
    static String dialect(TaskSpec spec) {
        var text = spec.origin().text();
        return text.substring(BEGINNING.length(), text.indexOf('"', BEGINNING.length()));
    }

    public static Origin of(TaskSpec spec) {
        Params in = Params.of("origin", Json.raw(spec.origin().bytes()));
        Json request = in.get("request");
        var route = new Route(
                in.string("dialect"),
                in.optionalString("session"),
                request == null ? Json.raw("null") : request,
                new NoticeOptions(in.get("progressToken"), in.optionalString("logLevel")),
                in.flag("plain"),
                in.has("alias") ? new Alias(in.string("aliasSpace"), in.string("alias")) : null);
        var can = Asking.read(in, new Takes(in.flag("tasks"), in.flag("parts")));
        var given = in.members("given");
        var trace = new Trace(
                in.optionalString("traceparent"), in.optionalString("tracestate"), in.optionalString("baggage"));
        return new Origin(route, new Asking(can, in.flag("byRequest")), given, caller(spec, in), trace);
    }
}
