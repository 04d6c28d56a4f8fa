# The functions of the example: hosts in network namespaces, the database with its standby, and printd on two hosts.

POSTGRES="$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)"
# The database is at one of two addresses. libpq connects to the server that accepts writes.
STORE="postgresql://printq@10.77.0.1:5432,10.77.0.2:5432/printq?target_session_attrs=read-write&sslmode=disable"

# Runs a command on a host: in the network namespace pq-NAME.
on() { ip netns exec "pq-$1" "${@:2}"; }

# Runs a program of PostgreSQL on a host.
postgres-on() { on "$1" setpriv --reuid=postgres --regid=postgres --clear-groups "$POSTGRES/$2" "${@:3}"; }

# Adds a host with an address to the network of the site.
add-host() {
    ip netns add "pq-$1"
    ip link add "pq-$1" type veth peer name eth0 netns "pq-$1"
    ip link set "pq-$1" netns pq-switch
    on switch ip link set "pq-$1" master switch up
    on "$1" ip address add "10.77.0.$2/24" dev eth0
    on "$1" ip link set eth0 up
    on "$1" ip link set lo up
}

start-database() {
    postgres-on "$1" pg_ctl -s -w -D "$SITE/$1" -l "$SITE/$1.log" -o \
        "-c listen_addresses=10.77.0.$2 -c unix_socket_directories=''" start
}

# Starts printd on a host, and waits for its ready line.
start-host() {
    mkdir -p "$SITE/$1"
    coproc PRINTD { exec ip netns exec "pq-$1" "$PRINTQ_PROGRAMS/printd" --spool "$SITE/$1" --no-tcp \
        --store "$STORE" --host-name "$1" 2>>"$SITE/$1.log"; }
    local ready
    read -r ready <&"${PRINTD[0]}"
    case "$ready" in *'"ready":true'*) ;; *) echo "$ready" >&2; return 1 ;; esac
    echo "$PRINTD_PID" >"$SITE/$1.pid"
    disown "$PRINTD_PID"
}

make-site() {
    ip netns add pq-switch
    on switch ip link add switch type bridge
    on switch ip link set switch up
    add-host db1 1
    add-host db2 2
    add-host a 11
    add-host b 12
    add-host printer 21

    # The database, with a standby that has every commit before the client receives the answer.
    chown postgres "$SITE"
    postgres-on db1 initdb -D "$SITE/db1" -U postgres -A trust --no-instructions >/dev/null
    echo "host all all 10.77.0.0/24 trust
host replication all 10.77.0.0/24 trust" >>"$SITE/db1/pg_hba.conf"
    start-database db1 1
    postgres-on db1 createuser -h 10.77.0.1 -U postgres printq
    postgres-on db1 createdb -h 10.77.0.1 -U postgres -O printq printq
    postgres-on db2 pg_basebackup -h 10.77.0.1 -U postgres -D "$SITE/db2" -R -C -S db2 \
        -d "host=10.77.0.1 user=postgres application_name=db2"
    start-database db2 2
    postgres-on db1 psql -q -h 10.77.0.1 -U postgres \
        -c "ALTER SYSTEM SET synchronous_standby_names = 'db2'" -c "SELECT pg_reload_conf()" >/dev/null

    on printer "$PRINTQ_PROGRAMS/printsim" color-laser --listen 10.77.0.21 --port 631 --no-dns-sd --no-tls \
        --speed instant --output "$SITE/printed" >"$SITE/printer.log" 2>&1 &
    disown

    start-host a
    start-host b
    printq-a printers add office ipp://10.77.0.21/ipp/print/color-laser
}

printq-a() { on a "$PRINTQ_PROGRAMS/printq" "$@" --spool "$SITE/a"; }
printq-b() { on b "$PRINTQ_PROGRAMS/printq" "$@" --spool "$SITE/b"; }

# Ends printd on the first host, as a power failure would.
kill-a() { kill -9 "$(cat "$SITE/a.pid")"; }

# Ends the database, as a power failure would, and makes the standby the database.
fail-over() {
    for pid in $(ip netns pids pq-db1); do kill -9 "$pid"; done
    postgres-on db2 pg_ctl -s -w -D "$SITE/db2" promote
    postgres-on db2 psql -q -h 10.77.0.2 -U postgres \
        -c "ALTER SYSTEM RESET synchronous_standby_names" -c "SELECT pg_reload_conf()" >/dev/null
}

remove-site() {
    for host in a b printer db1 db2 switch; do
        for pid in $(ip netns pids "pq-$host"); do kill -9 "$pid"; done
        ip netns delete "pq-$host"
    done
    rm -rf "$SITE"
}

export -f on postgres-on start-database start-host printq-a printq-b kill-a fail-over
export POSTGRES STORE
