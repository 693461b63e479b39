/* SPDX-License-Identifier: Apache-2.0
 *
 * The protocol by which nodes share the tasks of one database: leases, claims, take-overs, drains and wakes, for two nodes
 * and one task. An inline that is marked as a step is an action of a node or of the store. The code names it where it does
 * it, as "model: NAME", and ModelTest holds the two lists together.
 *
 * A transaction of the database is one atomic step. A poll may come at any moment at which it would find something, since
 * nodes poll for ever. What befalls nodes has budgets, so that each execution comes to an end; then `judge` demands that
 * nothing was left behind. A define that begins with FAULT_ takes one rule away, and Spin must find what that breaks.
 */
#define NODES 2
#define EPOCHS 12
#define NOBODY 0

/* States of the task, in their order. The work of a task that is ENDED may still run; that of one that is OVER has ended. */
#define NONE 0
#define SUBMITTED 1
#define WORKING 2
#define WAITING 3
#define ANSWERED 4
#define ENDED 5
#define OVER 6

#define VALID 0
#define LAPSED 1
#define VOID 2

/* The database: a lease for each node, and the task. An epoch belongs to one node, so that it stands for a holder. */
byte epochs;
byte nodeOf[EPOCHS];
byte leaseEpoch[NODES];
byte lease[NODES] = VOID;
bit termHeld[NODES]; /* the lease has held for a term without a gap */
bit draining[NODES];
byte state, holder, attempt;
bit unfenced;

/* The memory of each process. */
bit up[NODES], closed[NODES];
byte mine[NODES]; /* the epoch that it knows to be its own */
bit drained[NODES];
bit joinInDoubt[NODES], claimInDoubt[NODES];
bit found[NODES]; /* its claim has found the task, */
byte foundAt[NODES]; /* with this holder */
bit claimed[NODES]; /* its claim has taken the task, of which it has no live copy yet */
bit live[NODES]; /* it has a live copy of the task: */
byte known[NODES], tried[NODES]; /* its state and attempt */
bit behind[NODES]; /* another write has come since, so that the versions differ */
bit unsure[NODES]; /* a write of the copy was not confirmed */
byte runs[NODES]; /* the attempt that runs */
byte lost[NODES], lostBy[NODES]; /* an attempt that goes on though its node has lost the task, and the epoch of that */
#ifdef FAULT_WAKES_ALONE
bit woken[NODES];
#endif
#ifdef FAULT_DRAIN_LATE
bit toDrain[NODES];
#endif

/* What must hold. */
bit drainWanted[NODES]; /* what the operator said last, and the database took */
bit paused[NODES]; /* the lease has lapsed in a pause of the database, since whose end no term has gone by */
byte twin[NODES]; /* the epoch of another process under the name of the node */

/* Budgets of what befalls nodes, which `init` fills. */
byte lapses; /* of leases whose nodes live */
byte kills; /* ends of a process, at once or in good order */
byte doubts; /* writes that the database carries out, and cannot confirm */
byte words; /* of the operator: drain, drain no more */
byte twins; /* second processes under the name of a node */
bit childMade;

#define BEGUN(n) (up[n] && !closed[n] && mine[n] != NOBODY)
#define HOLDS(n) (mine[n] != NOBODY && leaseEpoch[n] == mine[n] && lease[n] != VOID)
#define IS_OWN(n) (HOLDS(n) && holder == mine[n])
#define FITS(n) (!behind[n])
#define IS_LIVE(n) (BEGUN(n) && live[n] && !unsure[n])
#ifdef FAULT_WAKES_ALONE
#define POLLS(n) (BEGUN(n) && woken[n])
#else
#define POLLS(n) BEGUN(n)
#endif

#ifdef FAULT_VOID_AT_ONCE
#define MAY_VOID(n) (lease[1 - n] == LAPSED)
#else
#define MAY_VOID(n) (lease[1 - n] == LAPSED && termHeld[n])
#endif
#ifdef FAULT_LOST_RUN
#define HAS_STOPPED(n) (runs[n] == 0)
#else
#define HAS_STOPPED(n) (runs[n] == 0 && lost[n] == 0)
#endif

/* A holder without a valid lease. What a node had before it joined anew is left to that node for a term. */
#define HOLDER_NODE nodeOf[holder]
#define IS_FREE(n) \
    (state != NONE && state != OVER && \
        (holder == NOBODY || holder == leaseEpoch[HOLDER_NODE] && lease[HOLDER_NODE] == VOID || \
            holder < leaseEpoch[HOLDER_NODE] && \
                (HOLDER_NODE == n || lease[HOLDER_NODE] == VOID || termHeld[HOLDER_NODE])))

/* No acknowledged write is lost: the state of a task never goes back. */
inline put(next) {
    assert(next >= state && state != OVER);
    state = next;
    behind[0] = live[0] || claimed[0];
    behind[1] = live[1] || claimed[1]
}

/* step: each write transaction of a node first renews its lease, unless the lease is void. */
inline renew(n) {
    if
    :: HOLDS(n) && lease[n] == LAPSED -> lease[n] = VALID; termHeld[n] = 0; paused[n] = 0
    :: else
    fi
}

/* step: a hint to a node, which may be lost. */
inline wake(whom) {
#ifdef FAULT_WAKES_ALONE
    if
    :: woken[whom] = 1
    :: true
    fi;
#endif
    skip
}

inline forget(n) {
    live[n] = 0; known[n] = NONE; behind[n] = 0; tried[n] = 0; unsure[n] = 0;
    found[n] = 0; foundAt[n] = NOBODY; claimed[n] = 0
}

/* step: the node has no right to the task any more. Its thread is told so, and may go on for some time. */
inline lose(n) {
    if
    :: runs[n] != 0 -> lost[n] = runs[n]; lostBy[n] = mine[n]; runs[n] = 0
    :: else
    fi;
    forget(n)
}

/* step: a lease of a new epoch. */
inline join(n) {
    epochs++;
    nodeOf[epochs] = n;
    leaseEpoch[n] = epochs;
    lease[n] = VALID;
    termHeld[n] = 0;
    paused[n] = 0
}

/* step: a process starts. A word of the operator about the process before is over. */
inline start_node(n) {
    join(n);
    draining[n] = 0;
    drainWanted[n] = 0;
    mine[n] = epochs
}

/* step: a node whose lease is void drops all that lived as long, and joins anew, drained as it was. */
inline join_anew(n) {
    lose(n);
    claimInDoubt[n] = 0;
    join(n);
#ifdef FAULT_DRAIN_FORGOTTEN
    draining[n] = 0;
#endif
#ifdef FAULT_DRAIN_LATE
    toDrain[n] = toDrain[n] || draining[n];
    draining[n] = 0;
#endif
    if
    :: mine[n] = epochs; joinInDoubt[n] = 0; drained[n] = 0
    :: doubts > 0 -> doubts--; joinInDoubt[n] = 1
    fi
}

/* step: a poll tells the node how its lease stands. */
inline standing(n) {
    renew(n);
    if
#ifdef FAULT_JOIN_IN_DOUBT
    :: leaseEpoch[n] > mine[n] ->
#else
    :: leaseEpoch[n] > mine[n] && !joinInDoubt[n] ->
#endif
        assert(twin[n] == leaseEpoch[n]);
        lose(n);
        closed[n] = 1
    :: leaseEpoch[n] > mine[n] && joinInDoubt[n] || leaseEpoch[n] == mine[n] && lease[n] == VOID -> join_anew(n)
    :: else -> drained[n] = draining[n]
    fi
}

/* step: only a node whose own lease has held for a term makes a lapsed one void: after a pause each node has a term. */
inline void_lapsed(n) {
    renew(n);
    if
    :: HOLDS(n) && MAY_VOID(n) ->
        assert(!paused[1 - n]);
        lease[1 - n] = VOID;
        termHeld[1 - n] = 0
    :: else
    fi
}

/* step: a claim finds free tasks in its snapshot of the tables. */
inline find_free(n) {
    renew(n);
    if
    :: HOLDS(n) && IS_FREE(n) -> found[n] = 1; foundAt[n] = holder
    :: else
    fi
}

/* step: and takes those that still have the holder that it found. */
inline claim(n) {
    if
#ifdef FAULT_CLAIM_UNCOMPARED
    :: state != OVER ->
#else
    :: state != OVER && holder == foundAt[n] ->
#endif
        assert(holder == NOBODY || leaseEpoch[HOLDER_NODE] != holder || lease[HOLDER_NODE] == VOID);
        put(state);
        holder = mine[n];
        unfenced = 0;
        if
        :: claimed[n] = 1; known[n] = state; behind[n] = 0; tried[n] = attempt
        :: doubts > 0 -> doubts--; claimInDoubt[n] = 1
        fi
    :: else
    fi;
    found[n] = 0;
    foundAt[n] = NOBODY
}

/* step: a claimed task gets a live copy, as it was when it was claimed. */
inline take_up(n) {
    claimed[n] = 0;
    live[n] = 1
}

/* step: a node whose claim was not confirmed finds out what that claim took. */
inline take_unconfirmed(n) {
    claimInDoubt[n] = 0;
    if
    :: holder == mine[n] && state != OVER -> live[n] = 1; known[n] = state; behind[n] = 0; tried[n] = attempt
    :: else
    fi
}

/* step: the live copy becomes what the row says, and the node follows what is new. */
inline reread(n) {
    unsure[n] = 0;
    if
    :: state == NONE || known[n] == NONE && state == OVER -> lose(n)
    :: state != NONE && holder != mine[n] -> lose(n)
    :: else ->
        if
        :: attempt > tried[n] && state < ENDED -> runs[n] = attempt
        :: else
        fi;
#ifdef FAULT_CREATION_CANCELLED
        known[n] = (known[n] == NONE && state == ENDED -> OVER : state);
#else
        known[n] = state;
#endif
        behind[n] = 0;
        tried[n] = attempt
    fi
}

inline publish(n) {
    known[n] = state; behind[n] = 0; tried[n] = attempt
}

bit wrote[NODES];

/* step: a write under the lease of the node, which must have the task. It is decided again where another write was first. */
inline write_fenced(n, next) {
    renew(n);
    wrote[n] = 0;
    if
#ifdef FAULT_NO_VERSION
    :: IS_OWN(n) ->
#else
#ifdef FAULT_NO_FENCE
    :: true ->
#else
    :: IS_OWN(n) && FITS(n) ->
#endif
#endif
        put(next);
        unfenced = 0;
        wrote[n] = 1
    :: IS_OWN(n) && !FITS(n) -> reread(n)
    :: !IS_OWN(n) -> lose(n)
    fi
}

inline confirm(n) {
    if
    :: publish(n)
    :: doubts > 0 -> doubts--; unsure[n] = 1
    fi
}

/* step: an attempt begins. Nothing that has not begun begins at a drained node. */
inline start(n) {
    write_fenced(n, (known[n] == SUBMITTED -> WORKING : known[n]));
    if
    :: wrote[n] ->
        attempt++;
        if
        :: publish(n); runs[n] = attempt
        :: doubts > 0 -> doubts--; unsure[n] = 1
        fi
    :: else
    fi
}

/* step: the work asks its requestor. */
inline ask(n) {
    write_fenced(n, WAITING);
    if
    :: wrote[n] -> assert(runs[n] == attempt); confirm(n)
    :: else
    fi
}

/* step: the work ends, and so does the task. */
inline finish(n) {
    write_fenced(n, OVER);
    if
    :: wrote[n] -> assert(runs[n] == attempt); runs[n] = 0; confirm(n)
    :: else
    fi
}

/* step: an attempt that does not know that its node has lost the task would end it. */
inline finish_lost(n) {
    if
#ifdef FAULT_NO_FENCE
    :: state < ENDED ->
#else
    :: state < ENDED && leaseEpoch[n] == lostBy[n] && lease[n] != VOID && holder == lostBy[n] ->
#endif
        assert(lost[n] == attempt);
        put(OVER);
        unfenced = 0
    :: else
    fi;
    lost[n] = 0;
    lostBy[n] = NOBODY
}

/* step: an attempt calls another tool, under the lease of the attempt. */
inline call_child(n) {
    childMade = 1;
#ifdef FAULT_CHILD_LEASE
    if
    :: HOLDS(n) -> assert(lost[n] == 0 || lostBy[n] == leaseEpoch[n])
    :: else
    fi
#else
    if
    :: lost[n] != 0 && leaseEpoch[n] == lostBy[n] && lease[n] != VOID -> assert(lostBy[n] == leaseEpoch[n])
    :: else
    fi
#endif
}

/* step: the work of an ended task has stopped, here and in what this node ran under older leases. */
inline confirm_stopped(n) {
    write_fenced(n, OVER);
    if
    :: wrote[n] -> assert(runs[n] == 0 && lost[n] == 0); confirm(n)
    :: else
    fi
}

/* step: a drained node gives away what has not begun, and what only waits. */
inline give_away(n) {
    write_fenced(n, known[n]);
    if
    :: wrote[n] ->
        holder = NOBODY;
        wake(1 - n);
        if
        :: lose(n)
        :: doubts > 0 -> doubts--; unsure[n] = 1
        fi
    :: else
    fi
}

/* step: a process that ends in good order hands back what runs, if there is time. */
inline hand_back(n) {
    if
    :: live[n] && state < ENDED && IS_OWN(n) && FITS(n) -> put(state); holder = NOBODY; unfenced = 0
    :: true
    fi
}

/* step: and gives its lease up. */
inline leave(n) {
    if
    :: HOLDS(n) -> lease[n] = VOID; termHeld[n] = 0; wake(1 - n)
    :: else
    fi
}

inline stop_process(n) {
    lose(n);
    lost[n] = 0; lostBy[n] = NOBODY;
    up[n] = 0; closed[n] = 0; mine[n] = NOBODY; drained[n] = 0; joinInDoubt[n] = 0; claimInDoubt[n] = 0
#ifdef FAULT_DRAIN_LATE
    ; toDrain[n] = 0
#endif
}

/* step: a task is created under the lease of the node that is asked, and begins at once where it can; or under none,
 * where that node does not run its work. */
inline create(n) {
    renew(n);
    if
    :: HOLDS(n) ->
        if
        :: put(SUBMITTED)
        :: !drained[n] -> put(WORKING); attempt = 1
        fi;
        holder = mine[n];
        live[n] = 1;
        if
        :: publish(n); runs[n] = attempt
        :: doubts > 0 -> doubts--; unsure[n] = 1
        fi
    :: put(SUBMITTED); holder = NOBODY; wake(1 - n)
    fi
}

/* step: an answer or a cancel, at any node. The holder is told by a mark where its live copy does not have the write. */
inline write_unfenced(n, next) {
    renew(n);
    if
    :: live[n] && (unsure[n] || !FITS(n)) -> reread(n)
    :: else
    fi;
    if
    :: live[n] && IS_OWN(n) -> put(next); unfenced = 0; publish(n)
#ifdef FAULT_ANSWER_FENCED
    :: !live[n] && IS_OWN(n) -> put(next); unfenced = 0
    :: !IS_OWN(n) ->
#else
    :: !(live[n] && IS_OWN(n)) ->
#endif
        put(next);
        unfenced = 1;
        if
        :: holder != NOBODY -> wake(nodeOf[holder])
        :: else -> wake(0); wake(1)
        fi
    fi
}

/* step: a word of the operator. A node that the database takes for dead cannot be drained. */
inline drain(n) {
    words--;
    if
    :: draining[n] = 1; drainWanted[n] = 1
    :: draining[n] = 0; drainWanted[n] = 0
    fi
}

proctype node(byte n) {
end:
    do
    :: atomic { up[n] && mine[n] == NOBODY -> start_node(n) }
    :: atomic { POLLS(n) && (leaseEpoch[n] != mine[n] || lease[n] != VALID || drained[n] != draining[n]) -> standing(n) }
#ifdef FAULT_DRAIN_LATE
    :: atomic { POLLS(n) && toDrain[n] && HOLDS(n) -> draining[n] = 1; toDrain[n] = 0 }
#endif
    :: atomic { POLLS(n) && HOLDS(n) && !drained[n] && MAY_VOID(n) -> void_lapsed(n) }
    :: atomic { POLLS(n) && HOLDS(n) && IS_FREE(n) && !drained[n] && !live[n] && !claimed[n] && !found[n] && !claimInDoubt[n]
        -> find_free(n) }
    :: atomic { BEGUN(n) && found[n] -> claim(n) }
    :: atomic { BEGUN(n) && claimed[n] -> take_up(n) }
#ifndef FAULT_CLAIM_IN_DOUBT
    :: atomic { POLLS(n) && HOLDS(n) && claimInDoubt[n] -> take_unconfirmed(n) }
#else
    :: atomic { POLLS(n) && claimInDoubt[n] -> claimInDoubt[n] = 0 }
#endif
    :: atomic { POLLS(n) && live[n] && unfenced && holder == mine[n] && !FITS(n) -> reread(n) }
    :: atomic { BEGUN(n) && live[n] && unsure[n] -> reread(n) }
    :: atomic { IS_LIVE(n) && runs[n] == 0 &&
        (known[n] == SUBMITTED && !drained[n] || known[n] == WORKING || known[n] == ANSWERED) -> start(n) }
    :: atomic { IS_LIVE(n) && runs[n] != 0 && known[n] == WORKING -> ask(n) }
    :: atomic { IS_LIVE(n) && runs[n] != 0 && (known[n] == WORKING || known[n] == ANSWERED) -> finish(n) }
    :: atomic { IS_LIVE(n) && runs[n] != 0 && known[n] == ENDED -> runs[n] = 0 }
    :: atomic { IS_LIVE(n) && known[n] == ENDED && HAS_STOPPED(n) -> confirm_stopped(n) }
    :: atomic { IS_LIVE(n) && known[n] == OVER -> runs[n] = 0; forget(n) }
    :: atomic { IS_LIVE(n) && drained[n] && (known[n] == SUBMITTED || known[n] == WAITING) -> give_away(n) }
    :: atomic { up[n] && lost[n] != 0 && lostBy[n] != mine[n] -> finish_lost(n) }
    :: atomic { up[n] && lost[n] != 0 -> lost[n] = 0; lostBy[n] = NOBODY }
    :: atomic { BEGUN(n) && (runs[n] != 0 || lost[n] != 0) && !childMade -> call_child(n) }
    od
}

/* Time, faults, and the process that starts again, or never. The lease of a dead process lapses in any case. */
proctype environment(byte n) {
end:
    do
    :: atomic { lease[n] == VALID && lapses > 0 -> lapses--; lease[n] = LAPSED }
    :: atomic { lease[n] == VALID && (!up[n] || closed[n] || mine[n] == NOBODY) -> lease[n] = LAPSED }
    :: atomic { lease[n] == VALID && !termHeld[n] -> termHeld[n] = 1; paused[0] = 0; paused[1] = 0 }
    :: atomic { kills > 0 && up[n] -> kills--; stop_process(n) }
    :: atomic { kills > 0 && BEGUN(n) -> kills--; hand_back(n); leave(n); stop_process(n) }
    :: atomic { !up[n] -> up[n] = 1 }
    :: atomic { twins > 0 && BEGUN(n) -> twins--; join(n); draining[n] = 0; drainWanted[n] = 0; twin[n] = epochs }
    od
}

/* A pause of the database, the operator, and the requestor, who creates one task, and may answer and cancel it. */
proctype others() {
    bit silent;
end:
    do
    :: atomic { lapses > 0 && lease[0] == VALID && lease[1] == VALID ->
        lapses--; lease[0] = LAPSED; lease[1] = LAPSED; paused[0] = 1; paused[1] = 1 }
    :: atomic { words > 0 && lease[0] != VOID -> drain(0) }
    :: atomic { state == NONE && BEGUN(0) && HOLDS(0) -> create(0) }
    :: atomic { state == NONE && BEGUN(1) && HOLDS(1) -> create(1) }
    :: atomic { state == WAITING && !silent ->
        if
        :: up[0] && mine[0] != NOBODY -> write_unfenced(0, ANSWERED)
        :: up[1] && mine[1] != NOBODY -> write_unfenced(1, ANSWERED)
        :: silent = 1
        fi }
    :: atomic { state > NONE && state < ENDED && !silent ->
        if
        :: up[0] && mine[0] != NOBODY -> write_unfenced(0, ENDED)
        :: up[1] && mine[1] != NOBODY -> write_unfenced(1, ENDED)
        :: silent = 1
        fi }
    od
}

#define CAN_RUN(n) (BEGUN(n) && HOLDS(n) && !draining[n])

/* When nothing more can happen: each task is over, or waits at a node that knows it and is not drained. */
proctype judge() {
end:
    timeout ->
    assert(lease[0] == VOID || draining[0] == drainWanted[0]);
    assert(!BEGUN(0) || !draining[0] || drained[0]);
    assert(!(BEGUN(0) && drained[0] && live[0]));
    if
    :: CAN_RUN(0) || CAN_RUN(1) ->
        assert(state == NONE || state == OVER ||
            state == WAITING && (CAN_RUN(0) && holder == mine[0] && live[0] && known[0] == WAITING ||
                CAN_RUN(1) && holder == mine[1] && live[1] && known[1] == WAITING))
    :: else
    fi
}

init {
    atomic {
#ifdef LAPSES
        lapses = LAPSES; kills = KILLS; doubts = DOUBTS; words = WORDS; twins = TWINS;
#else
        if
        :: lapses = 1; kills = 1
        :: lapses = 1; doubts = 1
        :: lapses = 1; words = 2
        :: kills = 1; doubts = 1
        :: twins = 1; words = 1
        fi;
#endif
        up[0] = 1; up[1] = 1;
        run node(0); run node(1); run environment(0); run environment(1); run others(); run judge()
    }
}
