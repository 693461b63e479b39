// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.ext.toolsasync.LiveMembership.Memberships;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memberships that a session has in memory. */
class LiveMembershipTest {

    private static final TaskId TASK = new TaskId("a".repeat(TaskId.LENGTH));

    private final Memberships memberships = new Memberships();

    @Test
    void what_another_thread_has_read_before_the_session_joined_again_does_not_replace_the_newer_one() {
        memberships.joined(TASK, member("new words"));
        assertThat(memberships.stored(TASK, member("old words")).dialect()).isEqualTo("new words");
    }

    @Test
    void a_session_that_joins_again_is_told_in_the_words_of_its_later_request() {
        memberships.stored(TASK, member("old words"));
        memberships.joined(TASK, member("new words"));
        assertThat(memberships.stored(TASK, member("old words")).dialect()).isEqualTo("new words");
    }

    @Test
    void progress_goes_under_the_token_of_a_request_to_join_once_that_is_answered() {
        var first = new Member("words", List.of(Json.raw("1")), Json.raw("\"first\""));
        var later = new Member("words", List.of(Json.raw("1"), Json.raw("2")), Json.raw("\"later\""));
        memberships.joined(TASK, first);
        memberships.joined(TASK, later);
        // The thread of the first request may find its answer written when the client has sent the second one.
        memberships.answered(TASK, first);
        assertThat(token()).isEqualTo(Json.raw("\"first\""));
        memberships.answered(TASK, later);
        assertThat(token()).isEqualTo(Json.raw("\"later\""));
    }

    @Test
    void a_session_that_has_joined_again_at_another_node_is_told_as_it_has_asked_there() {
        memberships.joined(TASK, new Member("words", List.of(Json.raw("1")), Json.raw("\"first\"")));
        memberships.stored(TASK, new Member("words", List.of(Json.raw("1"), Json.raw("2")), Json.raw("\"later\"")));
        assertThat(token()).isEqualTo(Json.raw("\"later\""));
    }

    private Json token() {
        var told = memberships.get(TASK).progress(new ProgressView(1, null, null), "task", false, ResourceUris.NONE);
        return told.orElseThrow().token();
    }

    private static Member member(String words) {
        return new Member(words, List.of(Json.raw("1")), null);
    }
}
