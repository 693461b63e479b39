package io.longhaul.receiver.ext.toolsasync;

import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The sessions that have joined one task. Immutable.
 *
 * @param owner     of the task
 * @param keep      how long the task is kept when the last one has left
 * @param members in the order of their latest requests
 */
record MemberList(Owner owner, Duration keep, List<Member> members) {

    MemberList {
        members = List.copyOf(members);
    }

    Optional<Member> of(String session) {
        return members.stream().filter(one -> one.session().equals(session)).findFirst();
    }

    MemberList with(Member more) {
        var all = new ArrayList<>(without(more.session()).members());
        all.add(of(more.session()).map(before -> before.again(more)).orElse(more));
        return new MemberList(owner, keep, all);
    }

    MemberList without(String session) {
        return new MemberList(
                owner,
                keep,
                members.stream().filter(one -> !one.session().equals(session)).toList());
    }

    MemberList keeping(Duration time) {
        return new MemberList(owner, time, members);
    }

    Payload toPayload() {
        var out = new JsonWriter().beginObject().name("owner").string(owner.value());
        out.name("keep").number(keep.toMillis()).name("members").beginArray();
        members.forEach(one -> one.write(out));
        return Payload.of(out.endArray().endObject().toJson().bytes());
    }

    static MemberList of(Payload stored) {
        var in = Params.of("members", Json.raw(stored.bytes()));
        return new MemberList(
                new Owner(in.string("owner")),
                Duration.ofMillis(Objects.requireNonNull(in.optionalInteger("keep"))),
                JsonReader.elements(Objects.requireNonNull(in.get("members"))).stream()
                        .map(Member::read)
                        .toList());
    }
}
