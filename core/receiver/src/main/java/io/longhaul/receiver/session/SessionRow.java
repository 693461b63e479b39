// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.ClientProfile.Takes;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.feature.ListMarks;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.session.Session.Facts;
import io.longhaul.receiver.session.StreamPlaces.Place;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;

/** The form in which sessions are stored. */
final class SessionRow {

    private SessionRow() {}

    static Payload write(Session session) {
        return write(session, Objects.requireNonNull(session.facts()));
    }

    /** The stored form of a session with these facts. */
    static Payload write(Session session, Facts facts) {
        Principal principal = session.principal();
        ListMarks lists = session.lists();
        Capabilities can = facts.capabilities();
        var out = JsonWriter.object().member("version", facts.version());
        out.member("principal", principal.name());
        out.member("kind", principal.kind().name());
        out.optional("logLevel", facts.logLevel());
        Asking.write(can, out);
        out.member("parts", can.parts()).member("later", can.takes().later());
        out.name("asked").beginArray();
        can.takes().asked().forEach(out::string);
        out.endArray();
        out.optional("lists", lists == null ? null : lists.text());
        out.member("client", session.client());
        out.member("askedForTask", session.hasAskedForTask());
        var place = session.place();
        if (place != null) {
            out.name("place").beginObject().member("node", place.node());
            out.member("since", place.since().toString());
            out.optional("quiet", place.quiet() == null ? null : place.quiet().toString());
            out.endObject();
        }
        out.name("watched").beginArray();
        facts.watched().forEach(out::string);
        out.endArray();
        return Payload.of(out.end().bytes());
    }

    /** @param share the share of the caller that uses the session */
    static Session read(String id, Share share, Payload stored) {
        Params in = Params.of("session", Json.raw(stored.bytes()));
        var can = Asking.read(in, new Takes(false, in.flag("parts"), in.flag("later"), asked(in)));
        var principal = new Principal(in.string("principal"), Principal.Kind.valueOf(in.string("kind")));
        var watched = Set.copyOf(in.strings("watched"));
        var facts = new Facts(in.string("version"), can, in.optionalString("logLevel"), watched);
        var session = new Session(id, principal, share, facts);
        if (in.has("client")) {
            session.client(in.object("client"));
        }
        if (in.has("askedForTask") && in.flag("askedForTask")) {
            session.knowsTasks();
        }
        if (in.has("place")) {
            session.place(place(Params.of("place", in.object("place"))));
        }
        String lists = in.optionalString("lists");
        if (lists != null) {
            session.lists(ListMarks.parse(lists));
        }
        return session;
    }

    private static Place place(Params in) {
        String quiet = in.optionalString("quiet");
        return new Place(
                in.string("node"), Instant.parse(in.string("since")), quiet == null ? null : Instant.parse(quiet));
    }

    private static Set<String> asked(Params in) {
        return in.has("asked") ? Set.copyOf(in.strings("asked")) : Set.of();
    }
}
