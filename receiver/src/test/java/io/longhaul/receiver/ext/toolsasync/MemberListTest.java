package io.longhaul.receiver.ext.toolsasync;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Owner;
import io.longhaul.protocol.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The sessions that have joined one task. */
class MemberListTest {

    private static final MemberList EMPTY = new MemberList(new Owner("ann"), Duration.ofMinutes(1), List.of());

    @Test
    void sessions_are_members_in_the_order_in_which_they_joined_last() {
        var list = EMPTY.with(member("a", 1, null)).with(member("b", 2, null)).with(member("a", 3, null));
        assertThat(list.members()).extracting(Member::session).containsExactly("b", "a");
        assertThat(list.of("a").orElseThrow().requests()).containsExactly(Json.raw("1"), Json.raw("3"));
        assertThat(list.of("c")).isEmpty();
    }

    @Test
    void a_session_that_leaves_is_no_member_any_more() {
        var list = EMPTY.with(member("a", 1, null)).with(member("b", 2, null)).without("a");
        assertThat(list.members()).containsExactly(member("b", 2, null));
        assertThat(list.without("c")).isEqualTo(list);
    }

    @Test
    void a_later_request_without_a_progress_token_keeps_the_one_before() {
        var first = member("a", 1, Json.raw("\"token\""));
        assertThat(first.again(member("a", 2, null)).progressToken()).isEqualTo(Json.raw("\"token\""));
        assertThat(first.again(member("a", 2, Json.raw("7"))).progressToken()).isEqualTo(Json.raw("7"));
    }

    @Test
    void a_later_request_says_in_which_words_the_session_is_told() {
        var later = new Member("a", "other words", List.of(Json.raw("2")), null);
        assertThat(member("a", 1, null).again(later).dialect()).isEqualTo("other words");
    }

    @Test
    void the_latest_eight_requests_of_a_session_are_remembered() {
        var list = EMPTY;
        for (int request = 1; request <= 10; request++) {
            list = list.with(member("a", request, null));
        }
        assertThat(list.of("a").orElseThrow().requests())
                .containsExactlyElementsOf(IntStream.rangeClosed(3, 10)
                        .mapToObj(request -> Json.raw(Integer.toString(request)))
                        .toList());
    }

    @Test
    void a_list_is_stored_whole() {
        var list = EMPTY.with(member("a", 1, Json.raw("\"token\"")))
                .with(member("b", 2, null))
                .keeping(Duration.ofMillis(1_500));
        assertThat(MemberList.of(list.toPayload())).isEqualTo(list);
        assertThat(MemberList.of(EMPTY.toPayload())).isEqualTo(EMPTY);
    }

    private static Member member(String session, int request, @Nullable Json token) {
        return new Member(session, "words", List.of(Json.raw(Integer.toString(request))), token);
    }
}
