// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;

class RouteTest {

    @Test
    void the_route_of_a_task_is_one_text_and_that_of_a_whole_group_is_none() {
        assertThat(new Route("session", "call").text()).isEqualTo("session/call");
        assertThatNullPointerException().isThrownBy(new Route("session", null)::text);
    }

    @Test
    void a_group_without_a_name_or_with_a_slash_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Route("", "call"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Route("a/b", "call"));
    }

    @Test
    void the_route_of_children_names_their_parent_and_no_other_route_does() {
        var parent = TaskId.of(1, 2, 3);
        assertThat(Route.ofChildren(parent, "call").parent()).isEqualTo(parent);
        assertThat(Route.ofChildren(parent, null).finds(Route.ofChildren(parent, "call")))
                .isTrue();
        assertThat(new Route(parent.value(), "call").parent()).isNull();
    }
}
