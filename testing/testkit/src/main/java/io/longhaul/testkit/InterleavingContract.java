// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Test;

/**
 * A {@link ThreadsContract} for structures without threads of their own: Lincheck chooses after each step which thread
 * is next.
 */
public abstract class InterleavingContract extends ThreadsContract {

    @Test
    void threads_that_alternate_are_answered_as_if_one_after_another() {
        // What the JDK promises is believed, so that all steps are those of the structure.
        var atomic = forClasses(
                        ConcurrentHashMap.class.getName(),
                        ConcurrentLinkedQueue.class.getName(),
                        CopyOnWriteArrayList.class.getName())
                .allMethods()
                .treatAsAtomic();
        check(new ModelCheckingOptions().invocationsPerIteration(50).addGuarantee(atomic));
    }
}
