package io.longhaul.receiver;

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
 * Who attends to one task. Immutable.
 *
 * @param owner     of the task
 * @param keep      how long the task is kept when the last one has left
 * @param attendees in the order in which they came
 */
record AttendanceList(Owner owner, Duration keep, List<Attendee> attendees) {

    AttendanceList {
        attendees = List.copyOf(attendees);
    }

    Optional<Attendee> of(String session) {
        return attendees.stream().filter(one -> one.session().equals(session)).findFirst();
    }

    AttendanceList with(Attendee more) {
        var all = new ArrayList<>(without(more.session()).attendees());
        all.add(of(more.session()).map(before -> before.again(more)).orElse(more));
        return new AttendanceList(owner, keep, all);
    }

    AttendanceList without(String session) {
        return new AttendanceList(
                owner,
                keep,
                attendees.stream().filter(one -> !one.session().equals(session)).toList());
    }

    AttendanceList keeping(Duration time) {
        return new AttendanceList(owner, time, attendees);
    }

    Payload toPayload() {
        var out = new JsonWriter().beginObject().name("owner").string(owner.value());
        out.name("keep").number(keep.toMillis()).name("attendees").beginArray();
        attendees.forEach(one -> one.write(out));
        return Payload.of(out.endArray().endObject().toJson().bytes());
    }

    static AttendanceList of(Payload stored) {
        var in = Params.of("attendance", Json.raw(stored.bytes()));
        return new AttendanceList(
                new Owner(in.string("owner")),
                Duration.ofMillis(Objects.requireNonNull(in.optionalInteger("keep"))),
                JsonReader.elements(Objects.requireNonNull(in.get("attendees"))).stream()
                        .map(Attendee::read)
                        .toList());
    }
}
