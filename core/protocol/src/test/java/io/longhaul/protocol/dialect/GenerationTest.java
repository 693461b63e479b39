// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.dialect.Revision.Capability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GenerationTest {

    @ParameterizedTest
    @EnumSource
    void every_generation_is_found_by_its_label(Generation generation) {
        assertThat(Generation.named(generation.label())).contains(generation);
        assertThat(generation).hasToString(generation.label());
    }

    @ParameterizedTest
    @EnumSource
    void a_version_means_whoever_agrees_on_it_and_never_an_overlay_in_its_sessions(Generation generation) {
        assertThat(Generation.of(generation.version()))
                .hasValueSatisfying(found -> assertThat(found.isOverlay()).isFalse());
        assertThat(Generation.versions().contains(generation)).isEqualTo(!generation.isOverlay());
    }

    @Test
    void only_revisions_are_published() {
        assertThat(Generation.versions())
                .filteredOn(generation -> !generation.isPublished())
                .containsExactly(Generation.NEXT);
        assertThat(Generation.SEP_1686.isPublished()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void overlays_come_after_all_versions(Generation generation) {
        var last = Generation.versions().getLast();
        assertThat(generation.isOverlay()).isEqualTo(generation.compareTo(last) > 0);
    }

    @Test
    void a_revision_can_say_what_the_one_before_it_could_but_for_what_it_left_out() {
        var first = Generation.V2024_11_05.revision();
        var second = Generation.V2025_03_26.revision();
        var third = Generation.V2025_06_18.revision();
        assertThat(first.capabilities()).containsExactly(Capability.ROOTS_CHANGES);
        assertThat(second.has(Capability.BATCHES)).isTrue();
        assertThat(third.has(Capability.BATCHES)).isFalse();
        assertThat(third.has(Capability.AUDIO)).isTrue();
        assertThat(Generation.NEXT.revision().capabilities()).isEqualTo(third.capabilities());
    }

    @ParameterizedTest
    @EnumSource
    void a_client_speaks_the_version_of_its_generation(Generation generation) {
        if (ClientDialects.spoken().contains(generation)) {
            assertThat(ClientDialects.of(generation).generation()).isEqualTo(generation);
        }
    }
}
