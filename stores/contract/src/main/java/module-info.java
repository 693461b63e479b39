// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of every store of tasks, as tests: {@link io.longhaul.store.contract.TaskStoreContract} has them all.
 * The module is open, since JUnit calls tests that are not public.
 */
open module io.longhaul.store.contract {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.engine;
    requires transitive org.junit.jupiter.api;
    requires io.longhaul.fakes;
    requires org.assertj.core;

    exports io.longhaul.store.contract;
}
